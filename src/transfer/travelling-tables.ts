/** What of the rows goes along when a service moves: every table, in the order in which rows refer to each other. */
import { type RawBuilder, sql } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/**
 * These stay. Jobs go along by themselves, since not every queue keeps them in this table; what errands are for, a
 * caller waits for over there; rates are of this second; facts are of the stores that the service leaves.
 */
type StayingName = 'jobs' | 'errands' | 'rates' | 'service_facts';

export type TravellingName = Exclude<keyof Schema, StayingName>;

interface TravellingTable {
  /** Columns of the primary key. */
  readonly key: readonly [string, ...string[]];
  /** Which rows; all of them where it is left out. */
  readonly only?: RawBuilder<boolean>;
}

const byId = { key: ['id'] } as const;

/** A new table is to be put in its place here, or to stay for a reason; rows that others refer to come first. */
export const travellingTables: Readonly<Record<TravellingName, TravellingTable>> = {
  accounts: byId,
  api_keys: byId,
  quotas: byId,
  // Those that are held while a picture is drawn, too: the sweeper gives them back, as after a crash.
  charges: { key: ['quota_id', 'etag'] },
  usage_days: { key: ['key_id', 'day'] },
  key_events: byId,
  // What has no answer marks a call that runs over there.
  idempotent_answers: { key: ['key_id', 'path', 'idempotency_key'], only: sql`answer is not null` },
  // Without them every URI that was issued is void.
  secrets: { key: ['name'] },
  presets: { key: ['name'] },
  preset_grants: { key: ['preset', 'key_id'] },
  designs: byId,
  illustrations: byId,
  paintings: { key: ['illustration_id'] },
  engine_calls: byId,
  backdrops: byId,
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

/** Blobs that cannot be made again from others, and so must be there; names below the owner's prefix. */
export const neededBlobs: Readonly<
  Record<(typeof blobOwners)[number], (row: Readonly<Record<string, unknown>>) => readonly string[]>
> = {
  designs: ({ state, cutout_name: name }) =>
    state === 'ready'
      ? ['source', ...['cutout', 'matte'].map((blob) => nameCutoutBlob(blob, name))]
      : ['source'],
  backdrops: () => ['source'],
  // A result that is gone can be asked for anew, and the rows of a batch do not say how many it has.
  batches: () => [],
};

/** As `designBlobs` names them. */
function nameCutoutBlob(blob: string, name: unknown): string {
  return typeof name === 'string' ? `${blob}-${name}.png` : `${blob}.png`;
}
