/**
 * The full pictures of many photos, made as one batch by the service. The batch continues while this page is closed.
 */
import { useEffect, useState } from 'preact/hooks';
import {
  type Batch,
  type PackshotClient,
  PackshotError,
} from '../../../clients/typescript/src/packshot-client.ts';
import { describeFailure } from '../shared/error-words.ts';
import { useSession } from '../shared/session.ts';
import { t } from '../shared/words.ts';
import type { OrderedPicture } from './ordered-pictures.ts';
import { findOrder, keepOrder, type Order } from './orders.ts';
import type { PhotoQueue } from './photo-queue.ts';

const pauseMs = 3_000;

export interface BatchRun {
  readonly order: Order | null;
  readonly counts: Batch['counts'] | null;
  readonly error: unknown;
  /** Whether the batch has ended, and contains exactly these pictures. */
  isOf(pictures: readonly OrderedPicture[]): boolean;
  make(pictures: readonly OrderedPicture[]): void;
  /** The ZIP of an ended batch. */
  fetchZip(signal: AbortSignal): Promise<Blob>;
  cancel(): void;
}

export function useBatch(queue: PhotoQueue, project: string): BatchRun {
  const { client, hasKey, announce } = useSession();
  const [order, setOrder] = useState(() => findOrder(project));
  const [counts, setCounts] = useState<Batch['counts'] | null>(null);
  const [error, setError] = useState<unknown>(null);

  function keep(next: Order | null): void {
    keepOrder(project, next);
    setOrder(next);
  }

  useEffect(() => {
    if (!order || order.ended || !hasKey) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const post = async ({ pictures, key }: Order): Promise<string> => {
      const batch = { items: pictures.map(({ item }) => item), events: [] };
      return (await client.createBatch(batch, { idempotencyKey: key, signal })).id;
    };
    const follow = async (): Promise<void> => {
      const batchId = order.batchId ?? (await post(order));
      if (order.batchId === null) {
        keep({ ...order, batchId });
        return;
      }
      const { status } = await client.waitForBatch(batchId, {
        signal,
        onProgress: (state) => setCounts(state.counts),
      });
      if (status === 'completed') await noteFailures(client, queue, order, signal);
      keep(status === 'completed' ? { ...order, ended: true } : null);
      announce(t('The pictures are made.'));
    };
    /** Repeats the work while the service is temporarily unreachable; the batch continues on the service. */
    const insist = async (): Promise<void> => {
      for (;;) {
        try {
          setError(null);
          return await follow();
        } catch (failure) {
          if (signal.aborted) return;
          setError(failure);
          const lasting = failure instanceof PackshotError && failure.status >= 400 && failure.status < 500;
          if (lasting && failure.code !== 'rate_limited') return keep(null);
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
          if (signal.aborted) return;
        }
      }
    };
    void insist();
    return () => leaving.abort();
  }, [order?.key, order?.batchId, order?.ended, client]);

  return {
    order,
    counts,
    error,
    isOf: (pictures) =>
      order?.ended === true &&
      order.pictures.length === pictures.length &&
      pictures.every((picture, index) => JSON.stringify(picture) === JSON.stringify(order.pictures[index])),
    make(pictures) {
      setCounts(null);
      setError(null);
      const ordered = new Set(pictures.map(({ key }) => key));
      for (const { key, unmade } of queue.photos())
        if (unmade !== null && ordered.has(key)) queue.change(key, { unmade: null });
      const key = `batch-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
      keep({ key, pictures, batchId: null, ended: false });
    },
    async fetchZip(signal) {
      return (await client.batchResults(order?.batchId ?? '', { signal })).blob();
    },
    cancel() {
      if (order?.batchId) void client.deleteBatch(order.batchId).catch(() => undefined);
      keep(null);
    },
  };
}

async function noteFailures(
  client: PackshotClient,
  queue: PhotoQueue,
  order: Order,
  signal: AbortSignal,
): Promise<void> {
  for await (const { item, status, error } of client.batchItems(order.batchId ?? '', { signal })) {
    const key = order.pictures[item]?.key;
    if (key === undefined || status !== 'failed' || !error) continue;
    const { title } = describeFailure(new PackshotError(error.code, error.detail, { status: 422 }));
    queue.change(key, { unmade: title });
  }
}
