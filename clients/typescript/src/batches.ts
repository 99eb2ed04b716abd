/** Calls for batches: create one with or without photos, list its items, and poll until it ends. */
import type { Batch, BatchPage, NewBatchInput } from './api-types.ts';
import { type Call, type CallOptions, callService, type Transport, wait } from './call-service.ts';
import { type FileBytes, toBlob } from './file-form.ts';

export interface BatchOptions extends CallOptions {
  /** The photos that items refer to, by the name in the item's `file`. `GET /v1/limits` returns the maximum size. */
  readonly files?: Readonly<Record<string, FileBytes>> | undefined;
  /**
   * Set this key if the same batch may be posted again, even by another process. By default, each call generates
   * a new key.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Called with the batch's state at once and after each change. */
  readonly onProgress?: ((batch: Batch) => void) | undefined;
  /** Milliseconds between polls; default 2,000. */
  readonly intervalMs?: number | undefined;
}

/** Timeout in ms of a call with files, which takes longer than other calls. */
const formTimeoutMs = 600_000;
const intervalMs = 2_000;

export const batchPath = (id: string): string => `/v1/jobs/${encodeURIComponent(id)}`;

export async function postBatch(
  transport: Transport,
  batch: NewBatchInput,
  { files, idempotencyKey, signal }: BatchOptions,
): Promise<Batch> {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const call: Call = { method: 'POST', path: '/v1/jobs', headers, signal };
  if (!files) return (await callService(transport, { ...call, json: batch })).json() as Promise<Batch>;
  const form = new FormData();
  // The service requires this field before the files.
  form.append('batch', JSON.stringify(batch));
  for (const [name, bytes] of Object.entries(files)) form.append('files', toBlob(bytes), name);
  const patient = { ...transport, timeoutMs: Math.max(transport.timeoutMs, formTimeoutMs) };
  return (await callService(patient, { ...call, form })).json() as Promise<Batch>;
}

export async function findBatch(
  transport: Transport,
  id: string,
  { after, signal }: CallOptions & { readonly after?: number | undefined },
): Promise<BatchPage> {
  const path = `${batchPath(id)}${after === undefined ? '' : `?after=${after}`}`;
  return (await callService(transport, { method: 'GET', path, signal })).json() as Promise<BatchPage>;
}

export async function* listItems(
  transport: Transport,
  id: string,
  { signal }: CallOptions,
): AsyncGenerator<BatchPage['items'][number], void> {
  let after: number | null | undefined;
  while (after !== null) {
    const page: BatchPage = await findBatch(transport, id, { after, signal });
    yield* page.items;
    after = page.next;
  }
}

export async function awaitBatch(transport: Transport, id: string, options: WaitOptions): Promise<Batch> {
  let told = '';
  for (;;) {
    // Only the batch's state is needed, so request the page after the last item, which is empty.
    const { items: _, next: __, ...batch } = await findBatch(transport, id, { ...options, after: 1_000 });
    const now = JSON.stringify([batch.status, batch.counts]);
    if (now !== told) options.onProgress?.(batch);
    told = now;
    if (batch.status === 'completed' || batch.status === 'cancelled') return batch;
    await wait(options.intervalMs ?? intervalMs, options.signal);
  }
}
