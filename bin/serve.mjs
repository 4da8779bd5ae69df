// npm run serve: the built product in production; installs and builds nothing and loads no sample data.
import { isClientBuilt } from './client.mjs';
import { fail } from './install.mjs';
import { runServer } from './server.mjs';

if (!isClientBuilt()) fail('The pages are not built (dist/client is missing): run "npm run build" first.');
process.exitCode = await runServer({ ...process.env, NODE_ENV: 'production' });
