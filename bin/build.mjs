// npm run build: the client into dist/client.
import { buildClient } from './client.mjs';
import { installIfMissing } from './install.mjs';

await installIfMissing();
process.exitCode = await buildClient();
