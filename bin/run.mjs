// node bin/run.mjs FILE ARGUMENTS…: a TypeScript file of this tree on the pinned Node, whichever Node runs this one.
import { pinnedNode } from './install.mjs';
import { run } from './process.mjs';

process.exitCode = await run(pinnedNode(), process.argv.slice(2));
