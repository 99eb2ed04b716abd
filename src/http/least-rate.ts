/** Ends a body that arrives so slowly that it only keeps its place in memory from others. */
import type { IncomingMessage } from 'node:http';
import { PackshotError } from '../errors.ts';

export interface LeastRate {
  readonly graceMs: number;
  /** On average since the reading began, the grace left out; 0 takes any. */
  readonly minBytesPerSecond: number;
}

type Body = Pick<IncomingMessage, 'complete' | 'unpipe'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'bytesRead'>;
};

const checkEveryMs = 500;

/** Rejects with what `read` rejects with, or with `upload_timeout`; then nothing reads from the body any more. */
export async function keepLeastRate<T>(body: Body, rate: LeastRate, read: () => Promise<T>): Promise<T> {
  const { graceMs, minBytesPerSecond } = rate;
  const startedAt = performance.now();
  const bytesBefore = body.socket.bytesRead;
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  const check = () => {
    const seconds = (performance.now() - startedAt - graceMs) / 1_000;
    if (body.complete || body.socket.bytesRead - bytesBefore >= seconds * minBytesPerSecond) return;
    body.unpipe();
    reject(
      new PackshotError(
        'upload_timeout',
        `The upload arrives too slowly: after its first ${graceMs / 1_000} s it needs ${minBytesPerSecond} bytes a second on average. Send a smaller file or use a faster connection.`,
      ),
    );
  };
  // After the poll for input: a process that was busy for a while has bytes waiting, for which the client is not to blame.
  const timer = setInterval(() => setImmediate(check), Math.min(checkEveryMs, Math.max(1, graceMs)));
  try {
    return await Promise.race([read(), tooSlow]);
  } finally {
    clearInterval(timer);
  }
}
