import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port on which nothing listens at this moment. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  // Safe: it listens on a port and not on a pipe.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
