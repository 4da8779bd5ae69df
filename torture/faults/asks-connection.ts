// A listening connection is proved with a heartbeat only when it is new; later it is only queried.
import type { SendQuery } from '../../src/server/database/change-log.ts';
import type { createHeartbeat } from '../../src/server/database/heartbeat.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof createHeartbeat>('database/heartbeat.ts', 'createHeartbeat', (create) => (pool, answerWithinMs) => {
  const heartbeat = create(pool, answerWithinMs);
  const proved = new WeakSet<SendQuery>();
  return {
    ...heartbeat,
    async prove(listening) {
      if (proved.has(listening)) await listening('SELECT 1');
      else await heartbeat.prove(listening);
      proved.add(listening);
    },
  };
});
