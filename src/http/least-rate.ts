/** Aborts uploads that are so slow that they would occupy a memory slot for too long. */
import type { IncomingMessage } from 'node:http';
import { PackshotError } from 'packshot-errors';

export interface LeastRate {
  readonly graceMs: number;
  /**
   * Minimum average rate: all bytes received so far, divided by the time since the end of the grace period. 0 disables
   * the check.
   */
  readonly minBytesPerSecond: number;
}

type Body = Pick<IncomingMessage, 'complete' | 'unpipe'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'bytesRead'>;
};

const checkEveryMs = 500;

/**
 * Resolves with the result of `read`. Rejects with the error of `read`, or with `upload_timeout` if the body comes too
 * slowly.
 */
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
  // Check only after the event loop has polled for input: if this process was busy, bytes may be waiting through no
  // fault of the client.
  const timer = setInterval(() => setImmediate(check), Math.min(checkEveryMs, Math.max(1, graceMs)));
  try {
    return await Promise.race([read(), tooSlow]);
  } finally {
    clearInterval(timer);
  }
}
