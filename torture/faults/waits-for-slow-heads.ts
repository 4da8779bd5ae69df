// Lets the head of a request take a minute and its body five, as Node does by itself.
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';

Object.assign(BOUNDS.headersWithin, { max: 60_000 });
Object.assign(BOUNDS.requestWithin, { max: 5 * 60_000 });
