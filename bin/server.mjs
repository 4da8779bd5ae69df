import path from 'node:path';
import { pinnedNode } from './install.mjs';
import { ROOT, run } from './process.mjs';

// The two constants below are also set in Dockerfile and deploy/ (docs/performance.md, "Memory").

/**
 * Halves Node's space for new objects: a server under load fills all of it. A quarter of it made reads slower. SIGUSR1,
 * which makes other servers open their logs again, must not open a debugger to everybody on the machine.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=16', '--disable-sigusr1'];

/** As many areas of native memory as there are threads at work, not eight for each core. */
export const MALLOC_ENV = { MALLOC_ARENA_MAX: '2' };

/** Runs the server until it ends; answers its exit code. */
export function runServer(
  /** @type {NodeJS.ProcessEnv} */ env,
  /** @type {AbortSignal | undefined} */ stop = undefined,
) {
  return run(pinnedNode(), [...NODE_OPTIONS, path.join(ROOT, 'src/server/main.ts'), ...process.argv.slice(2)], {
    // Stripped and compiled sources are kept, which takes 0.2 s off the 0.7 s to the first answer. They are not in the
    // system's temporary folder, Node's own default, where another user could put code for us to run.
    env: { ...MALLOC_ENV, NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/compiled'), ...env },
    channel: true,
    stop,
  });
}
