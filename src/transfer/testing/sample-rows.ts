/** For tests: a row of every exported table, and the blobs of the rows that own blobs. */
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Database } from '../../storage/database.ts';
import type { Schema } from '../../storage/schema.ts';
import { insertRows } from '../insert-rows.ts';
import type { Row } from '../live-rows.ts';
import { type TravellingName, travellingNames } from '../travelling-tables.ts';

const at = 1_700_000_000_123;

export const sampleRows: { readonly [Name in TravellingName]: readonly Schema[Name][] } = {
  accounts: [{ id: 'acc_a', name: 'shop', created_at: at }],
  api_keys: [
    {
      id: 'key_a',
      account_id: 'acc_a',
      name: 'till “1”',
      hash: 'a1'.repeat(32),
      hint: 'psk_live_Ab12',
      mode: 'live',
      quota_id: 'key_a',
      scopes: '["upload","render"]',
      created_at: at,
      expires_at: null,
      revoked_at: null,
      rate_per_second: 2.5,
      rate_burst: 5,
    },
  ],
  quotas: [{ id: 'key_a', remaining_milli: 12_250, used_milli: 750 }],
  charges: [
    { quota_id: 'key_a', etag: '"x"', credits_milli: 250, holders: 0, charged_at: at, updated_at: at },
    { quota_id: 'key_a', etag: '"y"', credits_milli: 250, holders: 1, charged_at: null, updated_at: at },
  ],
  usage_days: [
    {
      key_id: 'key_a',
      day: '2026-01-31',
      uploads: 1,
      previews: 3,
      full_versions: 0,
      credits_milli: 750,
      engine_calls: 1,
      engine_cost_usd: 0.1,
    },
  ],
  key_events: [
    { id: 'evt_a', key_id: 'key_a', action: 'created', actor: 'me@here', details: null, created_at: at },
  ],
  idempotent_answers: [
    {
      key_id: 'key_a',
      path: '/v1/jobs',
      idempotency_key: 'once',
      digest: 'd1',
      answer: '{"id":"bat_a"}',
      created_at: at,
      owner_id: 'bat_a',
    },
  ],
  secrets: [
    { name: 'illustration-uris', value: '5e'.repeat(32), created_at: at, verifies_until: null },
    { name: 'illustration-uris/old_1', value: '0d'.repeat(32), created_at: at - 1, verifies_until: at + 1e9 },
  ],
  presets: [{ name: 'SUMMER', definition: '{"name":"SUMMER"}', created_at: at, updated_at: at }],
  preset_grants: [{ preset: 'SUMMER', key_id: 'key_a', created_at: at }],
  designs: [
    sampleDesign('dsg_a', { state: 'ready', subject: '{"coverage":0.3}', cutout_version: 'keyer 1' }),
    // This file name contains line breaks, which must not end a line of the archive.
    sampleDesign('dsg_b', { file_name: 'Größe\u2028\u{1f6cb} "a"\n.jpg' }),
  ],
  illustrations: [
    {
      id: 'ill_a',
      design_id: 'dsg_a',
      account_id: 'acc_a',
      plan: '{"seed":1}',
      brief: '{}',
      created_at: at,
      used_at: at,
    },
  ],
  paintings: [
    {
      illustration_id: 'ill_a',
      key_id: 'key_a',
      state: 'failed',
      engine: 'ai-sdk',
      engine_version: 'x',
      asks: 3,
      answer: null,
      made: null,
      failure: '{"code":"internal"}',
      retry_at: at + 1,
      created_at: at,
    },
  ],
  engine_calls: [{ id: 'cal_a', key_id: 'key_a', engine: 'ai-sdk', cost_usd: 0.04, created_at: at }],
  backdrops: [
    {
      id: 'bdp_a',
      account_id: 'acc_a',
      image: '{}',
      created_at: at,
      last_used_at: at,
      expires_at: at * 2,
      stored_bytes: 9,
    },
  ],
  picture_sources: [{ account_id: 'acc_a', url_hash: 'a1'.repeat(32), design_id: 'dsg_a', created_at: at }],
  looks: [
    {
      id: `Look_${'a1'.repeat(12)}`,
      account_id: 'acc_a',
      title: 'All on white',
      content: '{"recipe":{"recipeId":"Solid1_1_0035","variant":"1:1","mutations":{}}}',
      created_at: at,
    },
  ],
  batches: [
    {
      id: 'bat_a',
      account_id: 'acc_a',
      key_id: 'key_a',
      sandbox: 0,
      state: 'running',
      events: '[]',
      created_at: at,
      ended_at: null,
      expires_at: null,
      stored_bytes: 8,
    },
  ],
  batch_items: [0, 1].map((position) => ({
    batch_id: 'bat_a',
    position,
    state: position === 0 ? 'done' : 'waiting',
    file_name: `${position}.jpeg`,
    recipe: '{}',
    url: position === 0 ? null : 'https://example.com/1.jpg',
    photo: null,
    photo_name: null,
    design_id: position === 0 ? 'dsg_a' : null,
    result: position === 0 ? '{"bytes":3}' : null,
    failure: null,
  })),
  webhook_endpoints: [
    {
      id: 'whe_a',
      account_id: 'acc_a',
      url: 'https://example.com/hook',
      events: '["design.ready"]',
      secret: 'whsec_abc',
      old_secret: null,
      old_secret_until: null,
      failing_since: null,
      disabled_at: null,
      disabled_because: null,
      created_at: at,
    },
  ],
  events: [{ id: 'msg_a', account_id: 'acc_a', type: 'design.ready', payload: '{"a": 1}', created_at: at }],
  deliveries: [
    {
      id: 'dlv_a',
      event_id: 'msg_a',
      endpoint_id: 'whe_a',
      state: 'waiting',
      tries: 1,
      earlier_tries: 0,
      outcome: 'it answered 500',
      updated_at: at,
    },
  ],
  dead_jobs: [
    {
      id: 'job_d',
      name: 'cutout',
      key: 'dsg_z',
      attempts: 2,
      error: 'Error: x',
      created_at: at,
      died_at: at,
    },
  ],
};

export function sampleDesign(id: string, parts: Partial<Schema['designs']> = {}): Schema['designs'] {
  return {
    id,
    account_id: 'acc_a',
    state: 'processing',
    created_at: at,
    last_used_at: at,
    expires_at: null,
    image: '{"width":4}',
    subject: null,
    cutout_version: null,
    failure: null,
    file_name: null,
    kind_hint: null,
    alpha_wish: null,
    cutout_wish: null,
    project: null,
    product: null,
    cutout_due_at: null,
    cutout_left_out: null,
    cutout_name: null,
    cutout_history: null,
    stored_bytes: 7,
    ...parts,
  };
}

export const sampleBlobs: Readonly<Record<string, string>> = {
  'designs/dsg_a/source': 'a photo',
  'designs/dsg_a/cutout.png': 'its cutout',
  'designs/dsg_a/matte.png': '',
  'designs/dsg_a/illustrations/ill_a/plate-1': 'a plate',
  'designs/dsg_b/source': 'another photo',
  'backdrops/bdp_a/source': 'a kitchen',
  'batches/bat_a/0': 'a result',
};

export async function fill({ database, blobs }: { database: Database; blobs: BlobStore }): Promise<void> {
  for (const table of travellingNames)
    await insertRows(database, table, sampleRows[table] as unknown as readonly Row[]);
  for (const [key, text] of Object.entries(sampleBlobs)) await blobs.put(key, Buffer.from(text));
}
