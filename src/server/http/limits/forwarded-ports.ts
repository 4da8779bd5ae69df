import type { IncomingMessage } from 'node:http';

/** An address with a port, as some load balancers write it: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i;

/** Removes the ports from `X-Forwarded-For`. With them, each connection would count as another address. */
export function removePorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return;
  const addresses = forwarded.split(',').map((entry) => {
    const [, ipv6, ipv4] = WITH_PORT.exec(entry.trim()) ?? [];
    return ipv6 ?? ipv4 ?? entry.trim();
  });
  headers['x-forwarded-for'] = addresses.join(', ');
}
