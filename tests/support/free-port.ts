import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The ports that this process was given: the system may give a port again before it is listened on. */
const given = new Set<number>();

/** A port on which nothing listens at this moment, and none that was returned before. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const probe = createServer().listen(0, host);
    await once(probe, 'listening');
    // Safe: it listens on a port and not on a pipe.
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
