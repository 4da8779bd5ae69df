// The connection that listens is asked whether it lives, and not whether it brings anything.
import { replaceIn } from './replace-in.ts';

replaceIn(
  '/database/postgres-changes.ts',
  'heartbeat.prove(watched).catch',
  "watched.query('SELECT 1').then(() => undefined).catch",
);
