// node bin/run.mjs FILE ARGUMENTS…: runs a TypeScript file of this tree on the pinned Node, whichever Node is called.
import { pinnedNode } from './install.mjs';
import { run } from './process.mjs';

process.exitCode = await run(pinnedNode(), process.argv.slice(2));
