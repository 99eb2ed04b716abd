/**
 * An ONNX Runtime session that can be closed and opened again, which frees the memory that its runs took.
 *
 * ONNX Runtime keeps the buffers of the largest run for the next run (its arena). Only a new session gives them back:
 * after a pass of ISNet at 1024 px, the process takes 0.82 GB; with a new session, 0.22 GB.
 */
import type { InferenceSession } from '../../onnxruntime.ts';

export async function openRenewable(open: () => Promise<InferenceSession>) {
  let current: Promise<InferenceSession> = Promise.resolve(await open());

  return {
    /** The session. If it could not be opened again, tries once more. */
    get(): Promise<InferenceSession> {
      const found = current.catch(open);
      current = found;
      return found;
    },

    /** Must not be called while the session runs. */
    async renew(): Promise<void> {
      current = current.then(async (old) => {
        await old.release();
        return open();
      });
      await current;
    },

    async close(): Promise<void> {
      await (await current).release();
    },
  };
}
