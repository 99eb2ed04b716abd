/** The tables to export; a table comes after those that its rows reference. */
import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/**
 * Tables that are not exported. `jobs` are exported separately, without their claims. The callers who wait for
 * `call_results` stay with the old service, `rates` expire within seconds, and `service_facts` describe the old stores.
 */
type StayingName = 'jobs' | 'call_results' | 'rates' | 'service_facts';

export type TravellingName = Exclude<keyof Schema, StayingName>;

interface TravellingTable {
  /** Columns of the primary key. */
  readonly key: readonly [string, ...string[]];
  /** Selects the rows to export; all if omitted. */
  readonly only?: RawBuilder<boolean>;
}

const byId = { key: ['id'] } as const;

/** A new table must be added here, or to `StayingName` with a reason; referenced tables come first. */
export const travellingTables: Readonly<Record<TravellingName, TravellingTable>> = {
  accounts: byId,
  api_keys: byId,
  quotas: byId,
  // Includes credits on hold while a picture is drawn: the sweep refunds them, as after a crash.
  charges: { key: ['quota_id', 'etag'] },
  usage_days: { key: ['key_id', 'day'] },
  key_events: byId,
  // A row without a response belongs to a call that is still running in the old service.
  idempotent_answers: { key: ['key_id', 'path', 'idempotency_key'], only: sql`answer is not null` },
  // Without the secrets, every issued URI would become invalid.
  secrets: { key: ['name'] },
  presets: { key: ['name'] },
  preset_grants: { key: ['preset', 'key_id'] },
  designs: byId,
  illustrations: byId,
  paintings: { key: ['illustration_id'] },
  engine_calls: byId,
  backdrops: byId,
  looks: byId,
  picture_sources: { key: ['account_id', 'url_hash'] },
  batches: byId,
  batch_items: { key: ['batch_id', 'position'] },
  webhook_endpoints: byId,
  events: byId,
  deliveries: byId,
  dead_jobs: byId,
};

export const travellingNames = Object.keys(travellingTables) as readonly TravellingName[];

/** Blobs lie below their owner's table and id: `designs/dsg_…/source`. */
export const blobOwners = ['designs', 'backdrops', 'batches'] as const satisfies readonly TravellingName[];

/** Blobs that cannot be regenerated from others, and so must exist; names below the owner's prefix. */
export const neededBlobs: Readonly<
  Record<(typeof blobOwners)[number], (row: Readonly<Record<string, unknown>>) => readonly string[]>
> = {
  designs: ({ state, cutout_name: name }) =>
    state === 'ready'
      ? ['source', ...['cutout', 'matte'].map((blob) => nameCutoutBlob(blob, name))]
      : ['source'],
  backdrops: () => ['source'],
  // A missing result can be requested again, and the rows of a batch do not say how many results the batch has.
  batches: () => [],
};

/** The blob's name, the same as in `designBlobs`. */
function nameCutoutBlob(blob: string, name: unknown): string {
  return typeof name === 'string' ? `${blob}-${name}.png` : `${blob}.png`;
}
