import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: a type, a length that counts itself. */
const NOTIFICATION = 'A'.charCodeAt(0);

/** A proxy between products and PostgreSQL servers, like a pooler or a host name that can move to another server. */
export interface PostgresProxy extends Disposable {
  /** The address of the database over this proxy. */
  readonly url: string;
  /** Whether notifications are dropped. Everything else passes. */
  dropsNotifications: boolean;
  /** Whether everything is dropped that the server sends. */
  isMute: boolean;
  /** Sends new connections to the server on another port; open ones stay where they are. */
  connectTo(port: number): void;
  /** Closes the open connections. */
  cut(): void;
  close(): void;
}

/** Passes all messages of the server on, except those that the proxy drops. */
function withoutDropped(proxy: Pick<PostgresProxy, 'dropsNotifications' | 'isMute'>): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1);
        const isDropped = proxy.isMute || (proxy.dropsNotifications && rest[0] === NOTIFICATION);
        if (!isDropped) this.push(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
      done();
    },
  });
}

/** Opens a proxy to the server of a database. If it drops notifications, it acts like a pooler in transaction mode. */
export async function openProxy(database: string, { dropsNotifications = false } = {}): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  const url = new URL(database);
  let port = Number(url.port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', noDelay: true });
    client.pipe(server).pipe(withoutDropped(proxy)).pipe(client);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const end of [client, server]) end.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  url.port = String((listener.address() as AddressInfo).port);
  function close() {
    listener.close();
    cut();
  }
  const proxy: PostgresProxy = {
    url: url.href,
    dropsNotifications,
    isMute: false,
    connectTo(to) {
      port = to;
    },
    cut,
    close,
    [Symbol.dispose]: close,
  };
  return proxy;
}
