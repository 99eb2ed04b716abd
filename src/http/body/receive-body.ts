/**
 * The only way into a body. Its limits hold while the bytes arrive, before anything is parsed, whether or not the
 * caller declared a length.
 */
import { Writable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { keepLeastRate, type LeastRate } from '../least-rate.ts';

export interface BodyLimits {
  readonly mostBytes: number;
  readonly rate: LeastRate;
  readonly tooLarge: () => PackshotError;
}

/** Takes a body piece by piece; each function throws to refuse the body. */
export interface BodySink<T> {
  readonly push: (piece: Buffer) => void;
  readonly end: () => T;
}

/** Refuses a body whose Content-Length is too large, before it waits for anything. */
export function refuseDeclaredExcess({ headers }: FastifyRequest, { mostBytes, tooLarge }: BodyLimits): void {
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
}

/** Runs `read`, which reads the body of `request`. Throws the error of `tooLarge`, `upload_timeout`, and its errors. */
export async function receiveBody<T>(
  request: FastifyRequest,
  limits: BodyLimits,
  read: (countBytes: () => number) => Promise<T>,
): Promise<T> {
  const { raw } = request;
  const { mostBytes, rate, tooLarge } = limits;
  refuseDeclaredExcess(request, limits);
  const { promise: excess, reject: refuse } = Promise.withResolvers<never>();
  let bytes = 0;
  const count = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostBytes) refuse(tooLarge());
  };
  try {
    return await keepLeastRate(raw, rate, () => {
      raw.on('data', count);
      return Promise.race([read(() => bytes), excess]);
    });
  } catch (error) {
    // Node discards the rest of a refused body only if nobody has begun to read it.
    raw.unpipe().resume();
    throw error;
  } finally {
    raw.off('data', count);
  }
}

/** Reads a whole body into a sink. */
export async function receiveInto<T>(
  request: FastifyRequest,
  limits: BodyLimits,
  sink: BodySink<T>,
): Promise<T> {
  const { raw } = request;
  return receiveBody(request, limits, async () => {
    const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new PackshotError('malformed_json', 'The body broke off.'));
    });
    raw.pipe(intoSink(sink)).once('finish', resolve).once('error', reject);
    await whole;
    return sink.end();
  });
}

function intoSink({ push }: BodySink<unknown>): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      try {
        push(piece);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** Keeps the bytes as they are. */
export function createBytesSink(mostBytes: number, tooLarge: () => PackshotError): BodySink<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  return {
    push(piece) {
      bytes += piece.length;
      if (bytes > mostBytes) throw tooLarge();
      pieces.push(piece);
    },
    end: () => Buffer.concat(pieces),
  };
}
