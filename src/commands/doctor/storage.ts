/** Checks that the service can write, read, list and delete in its bucket. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { messageOf, ok, problem, type Verdict } from './verdict.ts';

/** Leaves no probe object behind, unless the store fails during the check. */
export async function checkObjectStore({ storage: { blobs } }: Config): Promise<readonly Verdict[]> {
  if (blobs.kind !== 's3') return [];
  const { openS3BlobStore } = await import('../../storage/blobs/s3.ts');
  // Shows only the origin: a URL may contain a password.
  const where = `${blobs.endpoint === undefined ? 'AWS' : new URL(blobs.endpoint).origin}, bucket ${blobs.bucket}`;
  const key = `probe/${randomUUID()}`;
  let step: string | undefined;
  try {
    const store = await openS3BlobStore(blobs);
    const began = performance.now();
    step = 'write';
    await store.put(key, Buffer.from('.'));
    step = 'read';
    if (!(await store.get(key))) throw new Error('a written object is missing');
    step = 'list';
    const listed = [];
    for await (const entry of store.list('probe')) listed.push(entry.key);
    if (!listed.includes(key)) throw new Error('a written object is not listed');
    step = 'delete';
    await store.deleteAll(key);
    if (await store.get(key)) throw new Error('a deleted object still exists');
    const tookMs = Math.round(performance.now() - began);
    return [ok(`${where}: writes, reads, lists and deletes (${tookMs} ms)`)];
  } catch (error) {
    const { cause } = error as Error;
    const fault = step === undefined ? messageOf(error) : `cannot ${step}: ${messageOf(cause ?? error)}`;
    const remedy =
      'Start the object store, or correct the S3_ variables and the keys; the keys need GetObject, PutObject, DeleteObject and ListBucket.';
    return [problem(`${where}: ${fault}`, remedy)];
  }
}
