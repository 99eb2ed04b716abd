/** The last batch of each project, stored in this browser, so that a reload finds the batch again. */
import { keepStored, readStored } from '../shared/stored.ts';
import type { OrderedPicture } from './ordered-pictures.ts';

export interface Order {
  /** Idempotency key, which makes it safe to post the batch again. */
  readonly key: string;
  readonly pictures: readonly OrderedPicture[];
  /** Null until the service has accepted the batch. */
  readonly batchId: string | null;
  readonly ended: boolean;
}

const slot = 'packshot.batches';

function readOrders(): Record<string, Order> {
  try {
    return JSON.parse(readStored(slot) ?? '{}');
  } catch {
    return {};
  }
}

const keepOrders = (orders: Record<string, Order>): void =>
  keepStored(slot, Object.keys(orders).length === 0 ? null : JSON.stringify(orders));

export const findOrder = (project: string): Order | null => readOrders()[project] ?? null;

export function keepOrder(project: string, order: Order | null): void {
  const { [project]: _, ...others } = readOrders();
  keepOrders(order ? { ...others, [project]: order } : others);
}

export function moveOrder(project: string, to: string): void {
  const order = findOrder(project);
  keepOrder(project, null);
  if (order) keepOrder(to, order);
}

/** Forgets the batches of all projects but these. */
export function forgetOrders(names: ReadonlySet<string>): void {
  keepOrders(Object.fromEntries(Object.entries(readOrders()).filter(([project]) => names.has(project))));
}
