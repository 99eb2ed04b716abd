/**
 * The tables, as Kysely types. Portable to SQLite and PostgreSQL: text ids, integer milliseconds, JSON as
 * text.
 */
import type { Generated } from 'kysely';

export interface AccountRow {
  id: string;
  name: string;
  created_at: number;
}

export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key, hex: the key itself is not stored. */
  hash: string;
  /** The key's first characters, for display. */
  hint: string;
  /** `test` is a sandbox key: free, and its full versions are samples. */
  mode: 'live' | 'test';
  /** Id of the first key in the rotation chain: successors share its quota. */
  quota_id: string;
  /** JSON array of scopes. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** For the service's default rate, null, like `rate_burst`. */
  rate_per_second: number | null;
  rate_burst: number | null;
}

export interface QuotaRow {
  id: string;
  /** Thousandths of a credit; null for no limit. */
  remaining_milli: number | null;
  used_milli: number;
}

/** One picture paid from one quota: its credits are reserved while it is drawn, and charged once it is done. */
export interface ChargeRow {
  quota_id: string;
  etag: string;
  credits_milli: number;
  /** Number of requests that are drawing the picture. */
  holders: number;
  /** Null while the credits are only reserved. */
  charged_at: number | null;
  updated_at: number;
}

export interface ServiceFactRow {
  name: string;
  value: string;
  updated_at: number;
}

export interface UsageDayRow {
  key_id: string;
  /** UTC date, such as `2026-01-31`. */
  day: string;
  uploads: number;
  previews: number;
  full_versions: number;
  credits_milli: number;
  /** Number of engine calls of this day that are no longer in `engine_calls`. */
  engine_calls: number;
  /** US dollars. */
  engine_cost_usd: number;
}

export interface KeyEventRow {
  id: string;
  key_id: string;
  action: 'created' | 'rotated' | 'revoked' | 'credits' | 'rate';
  actor: string;
  details: string | null;
  created_at: number;
}

export interface DesignRow {
  id: string;
  account_id: string;
  state: 'processing' | 'ready' | 'failed';
  created_at: number;
  last_used_at: number;
  /** Null: kept until deleted. */
  expires_at: number | null;
  /** JSON of `ImageFacts`. */
  image: string;
  /** JSON of `SubjectFacts`, once ready. */
  subject: string | null;
  /** Engine and version that made the cutout, once ready. */
  cutout_version: string | null;
  /** JSON of {code, detail}, once failed. */
  failure: string | null;
  /** As uploaded, cut to 200 characters; a hint for the kind of product. */
  file_name: string | null;
  /** The uploader's name for the kind of product. */
  kind_hint: string | null;
  /** JSON of `ProductFacts`, once ready. */
  product: string | null;
  /** Deadline of the cutout; null if there is none. */
  cutout_due_at: number | null;
  /** Skipped cutout stages, joined by `+`; null if none were, or if the improvement failed. */
  cutout_left_out: string | null;
  /** Part of the names of the cutout's blobs; null for the first cutout. */
  cutout_name: string | null;
  /** JSON of `CutoutHistory`; null until the first correction. */
  cutout_history: string | null;
  /** All bytes stored for the design, including the rows of its illustrations. */
  stored_bytes: number;
}

export interface BackdropRow {
  id: string;
  account_id: string;
  /** JSON of `ImageFacts`. */
  image: string;
  created_at: number;
  last_used_at: number;
  /** Null: kept until deleted. */
  expires_at: number | null;
  stored_bytes: number;
}

export interface JobRow {
  id: string;
  name: string;
  /** Unique among jobs of the same name: the same name and key are the same job. */
  key: string;
  attempts: number;
  pauses: Generated<number>;
  deaths: Generated<number>;
  run_at: number;
  created_at: number;
  /** The priority of `jobs/fair-turns`; jobs with a higher value run first. */
  rank: number;
  /** The account that the job belongs to; null if none. */
  account_id: string | null;
  /** JSON; null if the key is the whole input. */
  input: string | null;
  /** Token of the claim under which a process runs the job; null while the job waits. */
  claim: string | null;
  /** When the claim was last renewed. */
  touched_at: number | null;
}

export interface DeadJobRow {
  id: string;
  name: string;
  key: string;
  attempts: number;
  /** The reason, for operators; holds neither paths nor secrets. */
  error: string;
  created_at: number;
  died_at: number;
}

export interface WebhookEndpointRow {
  id: string;
  account_id: string;
  url: string;
  /** JSON array of the subscribed event types. */
  events: string;
  /** In plain text: signing needs the secret itself. */
  secret: string;
  /** The previous secret, which also signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  /** Time of the first failure since the last success. */
  failing_since: number | null;
  disabled_at: number | null;
  /** The reason, for operators. */
  disabled_because: string | null;
  created_at: number;
}

export interface CallResultRow {
  /** Key of the job. */
  id: string;
  /** JSON of `CallResult`. */
  result: string;
  /** When the call was made. */
  created_at: number;
}

export interface EventRow {
  id: string;
  account_id: string;
  type: string;
  /** The exact request body that is sent. */
  payload: string;
  created_at: number;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  state: 'waiting' | 'delivered' | 'failed';
  tries: number;
  /** Number of tries before the latest manual redelivery, which the delay before the next try ignores. */
  earlier_tries: number;
  /** Outcome of the last try, for display. */
  outcome: string | null;
  updated_at: number;
}

export interface BatchRow {
  id: string;
  account_id: string;
  /** The API key that made the request and is charged. */
  key_id: string;
  /** 1 for a sandbox key. */
  sandbox: number;
  state: 'queued' | 'running' | 'completed' | 'cancelled';
  /** JSON array of the event types to send. */
  events: string;
  created_at: number;
  ended_at: number | null;
  /** Null: kept until deleted. */
  expires_at: number | null;
  /** Bytes of the batch's results. */
  stored_bytes: number;
}

export interface BatchItemRow {
  batch_id: string;
  /** From 0, as in the request. */
  position: number;
  state: 'waiting' | 'done' | 'failed' | 'cancelled';
  /** With its extension; unique within the batch. */
  file_name: string;
  /** JSON of `ItemRecipe`. */
  recipe: string;
  /** Cleared once the photo is a design, or the item has ended. */
  url: string | null;
  /** Index of the uploaded file in the batch request; cleared like the URL. */
  photo: number | null;
  /** The uploaded file's name in the request. */
  photo_name: string | null;
  design_id: string | null;
  /** JSON of `ItemResult`, once done. */
  result: string | null;
  /** JSON of {code, detail}; while the item waits, the failure it will end with. */
  failure: string | null;
}

export interface IllustrationRow {
  id: string;
  design_id: string;
  account_id: string;
  /** JSON of the scene's plan, from which its pixels can be rendered again. */
  plan: string;
  /** JSON of `SceneBrief`, for scenes that an engine may paint. */
  brief: string | null;
  created_at: number;
  /** Time of the first view or render; null if never used. */
  used_at: number | null;
}

export interface LookRow {
  id: string;
  account_id: string;
  title: string;
  /** JSON of `LookContent`. */
  content: string;
  created_at: number;
}

export interface PresetRow {
  name: string;
  /** JSON of `Preset`. */
  definition: string;
  created_at: number;
  updated_at: number;
}

export interface PresetGrantRow {
  preset: string;
  key_id: string;
  created_at: number;
}

export interface PaintingRow {
  illustration_id: string;
  /** The API key that made the request. */
  key_id: string;
  state: 'waiting' | 'done' | 'failed';
  engine: string;
  engine_version: string;
  /** Number of calls to the engine. */
  asks: number;
  /** JSON of `PaintingAnswer`, until the bytes that came with it have been checked. */
  answer: string | null;
  /** JSON of `MadePainting`, once done. */
  made: string | null;
  /** Why the painting failed; while the painting waits, what was wrong with the last response. */
  failure: string | null;
  /** Earliest time of a retry; null if the painting did not fail, or failed permanently. */
  retry_at: number | null;
  created_at: number;
}

export interface EngineCallRow {
  id: string;
  key_id: string;
  engine: string;
  /** US dollars; 0 if unknown. */
  cost_usd: number;
  created_at: number;
}

export interface IdempotentAnswerRow {
  key_id: string;
  path: string;
  idempotency_key: string;
  /** SHA-256 of the body, once answered. */
  digest: string | null;
  /** The response's JSON; null while the call runs. */
  answer: string | null;
  /** Id of the design, backdrop or batch that the response is about, once answered. */
  owner_id: string | null;
  created_at: number;
}

export interface RateRow {
  /** Id of an API key. */
  caller: string;
  /** Tokens left in the caller's bucket at `updated_at`. */
  tokens: number;
  /** Whether the last call took a token: 1 or 0. */
  allowed: number;
  updated_at: number;
}

export interface SecretRow {
  name: string;
  value: string;
  created_at: number;
  /** Null for the signing secret. */
  verifies_until: number | null;
}

export interface Schema {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  backdrops: BackdropRow;
  batch_items: BatchItemRow;
  batches: BatchRow;
  call_results: CallResultRow;
  charges: ChargeRow;
  dead_jobs: DeadJobRow;
  deliveries: DeliveryRow;
  designs: DesignRow;
  engine_calls: EngineCallRow;
  events: EventRow;
  idempotent_answers: IdempotentAnswerRow;
  illustrations: IllustrationRow;
  jobs: JobRow;
  key_events: KeyEventRow;
  looks: LookRow;
  paintings: PaintingRow;
  preset_grants: PresetGrantRow;
  presets: PresetRow;
  quotas: QuotaRow;
  rates: RateRow;
  secrets: SecretRow;
  service_facts: ServiceFactRow;
  usage_days: UsageDayRow;
  webhook_endpoints: WebhookEndpointRow;
}
