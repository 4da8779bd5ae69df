import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BOUNDS } from '../limits/bounds.ts';
import { refusals } from '../refusals/refusals.ts';
import { JsonCheck } from './json-check.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is checked and discarded, because the call does not use its hints. */
    isBodyIgnored?: boolean;
  }
}

/** A body may always arrive in a small number of pieces. Beyond it, each piece must have this many bytes on average. */
const PIECE_MIN_BYTES = 64;

/** Removes a byte order mark, which JSON.parse does not accept. */
const decoder = new TextDecoder();

/**
 * Reads a JSON body and checks each piece as it arrives.
 * @param max bytes
 * @returns the value; of an ignored body only `{}` for an object and null for anything else; undefined without a body
 */
function readBody(payload: IncomingMessage, max: number, isIgnored: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const check = new JsonCheck();
    const held: Buffer[] = [];
    let pieces = 0;
    let bytes = 0;

    function take(piece: Buffer): void {
      pieces += 1;
      bytes += piece.length;
      if (bytes > max) throw refusals.tooLarge();
      if (pieces > BOUNDS.bodyPieces.max + bytes / PIECE_MIN_BYTES) throw refusals.tooManyPieces();
      check.push(piece);
      if (!isIgnored) held.push(piece);
    }

    function finish(): unknown {
      // Some clients send the content type without a body. The call decides whether it needs one.
      if (bytes === 0) return undefined;
      check.end();
      if (isIgnored) return check.isObject ? {} : null;
      return JSON.parse(decoder.decode(held.length === 1 ? held[0] : Buffer.concat(held)));
    }

    const stop = () => payload.off('data', onData).off('end', onEnd).off('close', onClose);
    function onData(piece: Buffer): void {
      try {
        take(piece);
      } catch (error) {
        // The rest of the body is not read.
        stop();
        reject(error);
      }
    }
    function onEnd(): void {
      stop();
      try {
        resolve(finish());
      } catch (error) {
        reject(error);
      }
    }
    function onClose(): void {
      stop();
      reject(refusals.clientClosedRequest());
    }
    payload.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** Accepts only JSON bodies. A body whose announced length is too large is refused without reading it. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { bodyLimit, config } = request.routeOptions;
    if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw refusals.tooLarge();
    return readBody(payload, bodyLimit, config.isBodyIgnored === true);
  });
}
