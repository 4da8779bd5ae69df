// Keeps 20 kB and an open file more every 20 ms.
import { openSync } from 'node:fs';

const kept: unknown[] = [];

setInterval(() => kept.push(Buffer.alloc(20_000, 1), openSync('/dev/null', 'r')), 20).unref();
