// Waits ten minutes for a model, and asks it again however often it has failed.
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';

Object.assign(BOUNDS.modelAnswerWithin, { max: 10 * 60_000 });
Object.assign(BOUNDS.modelFailures, { max: Number.POSITIVE_INFINITY });
