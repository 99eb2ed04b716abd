/** The tables as Kysely types, for both databases: IDs are text, times are milliseconds, and JSON is text. */
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
  /** SHA-256 of the key, in hexadecimal; the key itself is not stored. */
  hash: string;
  /** The key's first characters, for display. */
  hint: string;
  /** `test` means a sandbox key: its calls are free, and its full versions carry a SAMPLE watermark. */
  mode: 'live' | 'test' | 'keyless';
  /** ID of the first key in the chain of rotations; all keys of the chain share one quota. */
  quota_id: string;
  /** JSON array of scopes. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Null, together with `rate_burst`, for the service's default rate. */
  rate_per_second: number | null;
  rate_burst: number | null;
}

export interface QuotaRow {
  id: string;
  /** Credits left, in thousandths; null for no limit. */
  remaining_milli: number | null;
  used_milli: number;
}

/** One picture charged to one quota. Its credits are reserved while it is drawn, and charged once it is done. */
export interface ChargeRow {
  quota_id: string;
  etag: string;
  credits_milli: number;
  /** Number of calls that are drawing the picture. */
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
  /** UTC date such as `2026-01-31`. */
  day: string;
  uploads: number;
  previews: number;
  full_versions: number;
  credits_milli: number;
  /** Number of this day's engine calls whose rows are no longer in `engine_calls`. */
  engine_calls: number;
  /** Cost of those calls, in US dollars. */
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
  /** Null if the design is kept until it is deleted. */
  expires_at: number | null;
  /** JSON of `ImageFacts`. */
  image: string;
  /** JSON of `SubjectFacts`; null until the design is ready. */
  subject: string | null;
  /** Engine and version that made the cutout; null until the design is ready. */
  cutout_version: string | null;
  /** JSON of {code, detail} of a failed design. */
  failure: string | null;
  /** Name of the uploaded file, cut to 200 characters; a hint for the kind of product. */
  file_name: string | null;
  /** The uploader's words for the kind of product. */
  kind_hint: string | null;
  /** The uploader's wishes for the photo's own transparency and for its cutout; null for `auto`. */
  alpha_wish: 'auto' | 'ignore' | 'keep' | null;
  cutout_wish: 'none' | 'auto' | null;
  project: string | null;
  /** JSON of `ProductFacts`; null until the design is ready. */
  product: string | null;
  /** Deadline of the cutout; null if there is none. */
  cutout_due_at: number | null;
  /** Stages that a provisional cutout skipped, joined by `+`; null if the cutout is final. */
  cutout_left_out: string | null;
  /** Part of the names of the cutout's blobs; null for the design's first cutout. */
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
  /** Null if the backdrop is kept until it is deleted. */
  expires_at: number | null;
  stored_bytes: number;
}

export interface JobRow {
  id: string;
  name: string;
  /** Unique among jobs of the same name. A name and key identify a job. */
  key: string;
  attempts: number;
  pauses: Generated<number>;
  deaths: Generated<number>;
  run_at: number;
  created_at: number;
  /** The priority from `jobs/fair-turns`; jobs with a higher value run first. */
  rank: number;
  /** The account to which the job belongs; null if there is none. */
  account_id: string | null;
  /** JSON of the job's input; null if the key is all that the handler needs. */
  input: string | null;
  /** Token of the claim with which a process runs the job; null while the job waits. */
  claim: string | null;
  /** When the claim was last renewed. */
  touched_at: number | null;
}

export interface DeadJobRow {
  id: string;
  name: string;
  key: string;
  attempts: number;
  /** The reason, for operators; contains neither paths nor secrets. */
  error: string;
  created_at: number;
  died_at: number;
}

export interface WebhookEndpointRow {
  id: string;
  account_id: string;
  url: string;
  /** JSON array of the event types to which the webhook subscribes. */
  events: string;
  /** Plain text, because signing needs the secret itself. */
  secret: string;
  /** The secret before the last rotation, which also signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: number | null;
  /** Time of the first failure since the last success. */
  failing_since: number | null;
  disabled_at: number | null;
  /** The reason, for operators, why the webhook is disabled. */
  disabled_because: string | null;
  created_at: number;
}

export interface CallResultRow {
  /** Key of the call's job. */
  id: string;
  /** JSON of `CallResult`. */
  result: string;
  created_at: number;
}

export interface EventRow {
  id: string;
  account_id: string;
  type: string;
  /** The exact body of the requests that deliver the event. */
  payload: string;
  created_at: number;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  state: 'waiting' | 'delivered' | 'failed';
  tries: number;
  /** Number of tries before the last manual redelivery; they do not affect the delay before the next try. */
  earlier_tries: number;
  /** Outcome of the last try, for display. */
  outcome: string | null;
  updated_at: number;
}

export interface BatchRow {
  id: string;
  account_id: string;
  /** The API key that posted the batch and is charged. */
  key_id: string;
  /** 1 if the key is a sandbox key. */
  sandbox: number;
  state: 'queued' | 'running' | 'completed' | 'cancelled';
  /** JSON array of the types of events to send. */
  events: string;
  created_at: number;
  ended_at: number | null;
  /** Null if the batch is kept until it is deleted. */
  expires_at: number | null;
  /** Bytes of all results of the batch. */
  stored_bytes: number;
}

export interface BatchItemRow {
  batch_id: string;
  /** Position in the request, starting at 0. */
  position: number;
  state: 'waiting' | 'done' | 'failed' | 'cancelled';
  /** Name of the result's file, with extension; unique within the batch. */
  file_name: string;
  /** JSON of `ItemRecipe`. */
  recipe: string;
  /** URL of the photo; cleared once the photo is a design, or the item has ended. */
  url: string | null;
  /** Number of the uploaded file in the batch request; cleared under the same conditions as `url`. */
  photo: number | null;
  /** Name of the uploaded file in the request. */
  photo_name: string | null;
  design_id: string | null;
  /** JSON of `ItemResult`; null until the item is done. */
  result: string | null;
  /** JSON of {code, detail}. In an item that waits: the failure with which it will end. */
  failure: string | null;
}

export interface IllustrationRow {
  id: string;
  design_id: string;
  account_id: string;
  /** JSON of the scene's plan, from which the scene can be rendered again. */
  plan: string;
  /** JSON of `BriefParts`, for scenes that an engine may paint. */
  brief: string | null;
  created_at: number;
  /** Time of the first view or render; null if there was none. */
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
  key_id: string;
  state: 'waiting' | 'done' | 'failed';
  engine: string;
  engine_version: string;
  /** Number of calls to the engine. */
  asks: number;
  /** JSON of `PaintingAnswer`, until the picture that came with it has been checked. */
  answer: string | null;
  /** JSON of `MadePainting`; null until the painting is done. */
  made: string | null;
  /** Why the painting failed; if the painting waits, what was wrong with the last response. */
  failure: string | null;
  /** Earliest time of a retry; null unless the painting failed for a transient reason. */
  retry_at: number | null;
  created_at: number;
}

export interface EngineCallRow {
  id: string;
  key_id: string;
  engine: string;
  /** US dollars; 0 if the cost is unknown. */
  cost_usd: number;
  created_at: number;
}

export interface IdempotentAnswerRow {
  key_id: string;
  path: string;
  idempotency_key: string;
  /** SHA-256 of the request's contents; null until there is a response. */
  digest: string | null;
  /** JSON of the response; null while the call runs. */
  answer: string | null;
  /** ID of the design, backdrop or batch in the response; null until there is a response. */
  owner_id: string | null;
  created_at: number;
}

export interface RateRow {
  /** ID of the caller's API key. */
  caller: string;
  /** Tokens that were left in the caller's bucket at `updated_at`. */
  tokens: number;
  /** 1 if the last call took a token, otherwise 0. */
  allowed: number;
  updated_at: number;
}

export interface SecretRow {
  name: string;
  value: string;
  created_at: number;
  /** Null for the secret that signs. */
  verifies_until: number | null;
}

export interface PictureSourceRow {
  account_id: string;
  /** SHA-256 of the URL, in hexadecimal. */
  url_hash: string;
  design_id: string;
  created_at: number;
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
  picture_sources: PictureSourceRow;
  preset_grants: PresetGrantRow;
  presets: PresetRow;
  quotas: QuotaRow;
  rates: RateRow;
  secrets: SecretRow;
  service_facts: ServiceFactRow;
  usage_days: UsageDayRow;
  webhook_endpoints: WebhookEndpointRow;
}
