import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** The ways in which a mail server can fail, on the wire. */
export const MAIL_FAULTS = [
  'refuses the connection',
  'says nothing',
  'answers 421',
  'sends a byte now and then',
  'hangs in DATA',
  'hangs up after DATA',
  'answers 451',
] as const;
export type MailFault = (typeof MAIL_FAULTS)[number];

const BYTE_EVERY_MS = 500;

/** Forwards data between client and mail server, except for what the fault changes. */
function relay(client: Socket, server: Socket, fault: () => MailFault | undefined): void {
  let said = '';
  let isWhole = false;
  client.on('data', (chunk) => {
    said = (said + chunk.toString('latin1')).slice(-200);
    isWhole = said.endsWith('\r\n.\r\n');
    if (fault() === 'hangs in DATA' && /\r\nDATA\r\n/i.test(said)) return;
    if (fault() === 'answers 451' && isWhole) {
      client.end('451 4.3.0 Try again later\r\n');
      server.destroy();
      return;
    }
    server.write(chunk);
  });
  server.on('data', (chunk) => {
    // The server has received everything; the client gets no answer.
    if (fault() === 'hangs up after DATA' && isWhole) client.destroy();
    else if (!client.destroyed) client.write(chunk);
  });
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => {});
    one.on('close', () => other.destroy());
  }
}

async function drip(client: Socket): Promise<void> {
  const bytes = Buffer.from('220 a mail server that takes its time to say who it is\r\n');
  for (const byte of bytes) {
    if (client.destroyed) return;
    client.write(Buffer.of(byte));
    await setTimeout(BYTE_EVERY_MS);
  }
}

/** Starts a proxy before a mail server. It passes everything on until `fail` says in which way it fails. */
export async function startFaultyMail(behind: { url: string }) {
  const { hostname, port } = new URL(behind.url);
  let fault: MailFault | undefined;
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    client.once('close', () => clients.delete(client));
    if (fault === 'refuses the connection') client.resetAndDestroy();
    else if (fault === 'answers 421') client.end('421 4.3.2 Not now\r\n');
    else if (fault === 'sends a byte now and then') void drip(client);
    else if (fault !== 'says nothing') relay(client, connect(Number(port), hostname), () => fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    fail(next: MailFault | undefined) {
      fault = next;
    },
    async close() {
      for (const client of clients) client.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
