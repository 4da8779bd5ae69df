import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The ports that were returned: the system may offer a port again until somebody listens on it. */
const returned = new Set<number>();

/** A port on which nothing listens at this moment, and none that was returned before. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const probe = createServer().listen(0, host);
    await once(probe, 'listening');
    // Safe: it listens on a port and not on a pipe.
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    if (returned.has(port)) continue;
    returned.add(port);
    return port;
  }
}
