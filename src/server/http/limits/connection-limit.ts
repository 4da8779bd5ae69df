import type { Server } from 'node:net';
import { limiterAddress } from './addresses.ts';

interface ConnectionLimit {
  /** The maximum number of open connections of one address. */
  max: number;
  /** Whether an address is a proxy's, whose connections belong to many clients. */
  isTrusted: (address: string) => boolean;
}

/** Closes new connections of an address that has too many open, so that one client cannot take all of them. */
export function limitConnections(server: Server, { max, isTrusted }: ConnectionLimit): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (!remoteAddress || isTrusted(remoteAddress)) return;
    const address = limiterAddress(remoteAddress);
    const held = open.get(address) ?? 0;
    if (held >= max) {
      socket.destroy();
      return;
    }
    open.set(address, held + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
