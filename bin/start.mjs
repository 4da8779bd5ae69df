// npm start: from a fresh clone to the running product.
import { buildClientIfStale } from './client.mjs';
import { fail, installIfMissing } from './install.mjs';
import { runServer } from './server.mjs';

await installIfMissing();
const built = await buildClientIfStale();
if (built !== 0) fail('The pages could not be built; the reason is above.', built);
process.exitCode = await runServer({ SAMPLE_DATA: 'on', ...process.env });
