import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance } from 'fastify';
import { BOUNDS } from '../limits/bounds.ts';
import { freeAtOnce } from '../orderly-close.ts';
import { Refusal, refusals } from '../refusals/refusals.ts';

/** Beyond `BOUNDS.bodyPieces`, the pieces of a body must have this many bytes on average. */
const PIECE_MIN_BYTES = 64;

const [QUOTE, BACKSLASH, ...BRACKETS] = [...Buffer.from('"\\[{]}')];
const [OPENS_ARRAY, OPENS_OBJECT, CLOSES_ARRAY, CLOSES_OBJECT] = BRACKETS;

/**
 * Whether brackets are nested deeper than any call needs. Looked at before the body is parsed: half a million levels
 * took the parser 0.1 s, and this takes a millisecond for a megabyte.
 */
function isTooDeep(body: Buffer): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === QUOTE) isText = !isText;
    else if (isText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPENS_ARRAY || byte === OPENS_OBJECT) depth += 1;
    else if (byte === CLOSES_ARRAY || byte === CLOSES_OBJECT) depth -= 1;
    if (depth > BOUNDS.bodyDepth.max) return true;
  }
  return false;
}

/** Makes the function that reads a body. It limits how many long bodies are in memory at a time. */
function createBodyReader() {
  /** The functions that refuse the long bodies that are still arriving, oldest first. */
  const longBodies = new Set<(refusal: Refusal) => void>();

  /** @param max bytes */
  return (payload: IncomingMessage, max: number): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const pieces: Buffer<ArrayBuffer>[] = [];
      let bytes = 0;

      function stop(): void {
        payload.off('data', onData).off('end', onEnd).off('close', onClose);
        longBodies.delete(refuse);
      }
      /** The rest of the body is not read. */
      function refuse(refusal: Refusal): void {
        stop();
        for (const piece of pieces) freeAtOnce(piece);
        reject(refusal);
      }
      function onData(piece: Buffer<ArrayBuffer>): void {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > max) refuse(refusals.tooLarge());
        else if (pieces.length > BOUNDS.bodyPieces.max + bytes / PIECE_MIN_BYTES) refuse(refusals.tooManyPieces());
        else if (bytes > BOUNDS.body.max) {
          longBodies.add(refuse);
          const [oldest] = longBodies;
          if (longBodies.size > BOUNDS.longBodies.max) oldest?.(refusals.unavailable());
        }
      }
      function onEnd(): void {
        stop();
        resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
      }
      const onClose = () => refuse(refusals.clientClosedRequest());
      payload.on('data', onData).on('end', onEnd).on('close', onClose);
    });
}

/** Whether a body follows (RFC 9112 §6.3). */
const hasBody = (headers: IncomingMessage['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Accepts only JSON bodies, which Fastify's own parser reads. It refuses keys that change the prototype of objects. A
 * body whose announced length is too large is refused without reading it. One that is not UTF-8 is refused too (RFC 8259
 * §8.1): decoding would replace its letters for good.
 * @param onRefused called with the status for each body that is refused before its call is checked
 */
export function readJsonBodies(app: FastifyInstance, onRefused: (status: number) => void): void {
  const readBody = createBodyReader();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  // axios sends the type of a form with each POST and PUT that has no body: it is no type of anything.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['content-type'] !== undefined && !hasBody(headers)) delete headers['content-type'];
    done();
  });
  app.addContentTypeParser('application/json', (request, payload, callback) => {
    const done: typeof callback = (error, body) => {
      if (error) onRefused(error instanceof Refusal ? error.status : ((error as FastifyError).statusCode ?? 400));
      callback(error, body);
    };
    const { bodyLimit } = request.routeOptions;
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) {
      done(refusals.tooLarge());
      return;
    }
    // Some clients send the content type without a body. The call decides whether it needs one.
    if (payload.readableEnded) {
      done(null);
      return;
    }
    readBody(payload, bodyLimit).then((body) => {
      if (body.length === 0) done(null);
      else if (!isUtf8(body)) done(refusals.invalidJson());
      else if (isTooDeep(body)) done(refusals.tooDeep(BOUNDS.bodyDepth.max));
      else void parse(request, body.toString(), done);
    }, done);
  });
}
