import type { FastifyInstance } from 'fastify';
import { refusals } from './refusals.ts';

/** Pieces that any body may come in. */
const PIECES_FREE = 256;
/** Bytes that each further piece must bring on average. */
const PIECE_MIN_BYTES = 64;

/**
 * Refuses bodies that come in crumbs. Each piece is kept with some 150 bytes beside its own until the body is whole: 20
 * connections that sent 6 MB each as chunks of one byte filled half a gigabyte within seconds.
 */
export function refuseCrumbs(app: FastifyInstance): void {
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    let pieces = 0;
    let bytes = 0;
    payload.on('data', (piece: Buffer) => {
      pieces += 1;
      bytes += piece.length;
      if (pieces <= PIECES_FREE + bytes / PIECE_MIN_BYTES) return;
      // Whoever reads the body lets go of it, answers and closes the connection; then nobody listens any more.
      if (payload.listenerCount('error') > 0) payload.emit('error', refusals.inPieces());
    });
    done();
  });
}
