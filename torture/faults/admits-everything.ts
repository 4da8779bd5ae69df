// Serves whatever comes in, however late, where each lookup takes 2 ms.
import './costly-reads.ts';
import type { createAdmission } from '../../src/server/http/limits/admission.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof createAdmission>('http/limits/admission.ts', 'createAdmission', () => ({ serve }) => ({
  admit: (arrival) => serve(arrival, 0),
}));
