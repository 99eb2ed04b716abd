/** The tables, as Kysely sees them. Portable to SQLite and PostgreSQL: text ids, integer milliseconds, JSON as text. */

export interface AccountRow {
  id: string;
  name: string;
  created_at: number;
}

export interface ApiKeyRow {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the key, hex: the key itself is nowhere. */
  hash: string;
  /** Its first characters, so that people can tell keys apart. */
  hint: string;
  /** JSON array of scopes. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
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
  /** As uploaded, cut to 200 characters; tells the kind of product. */
  file_name: string | null;
  /** What the uploader calls the product. */
  kind_hint: string | null;
  /** JSON of `ProductFacts`, once ready. */
  product: string | null;
}

export interface BackdropRow {
  id: string;
  account_id: string;
  /** JSON of `ImageFacts`. */
  image: string;
  created_at: number;
  last_used_at: number;
  /** Null: kept for ever. */
  expires_at: number | null;
}

export interface JobRow {
  id: string;
  name: string;
  /** Unique within the name: the same key is the same job. */
  key: string;
  attempts: number;
  run_at: number;
  created_at: number;
}

export interface IllustrationRow {
  id: string;
  design_id: string;
  account_id: string;
  /** JSON of the scene's plan: its pixels can always be made again. */
  plan: string;
  /** JSON of `SceneBrief`, for scenes that an engine may paint. */
  brief: string | null;
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
  /** The API key that asked. */
  key_id: string;
  state: 'waiting' | 'done' | 'failed';
  engine: string;
  engine_version: string;
  /** JSON of `MadePainting`, once done. */
  made: string | null;
  failure: string | null;
  created_at: number;
}

export interface EngineCallRow {
  id: string;
  key_id: string;
  engine: string;
  /** US dollars; 0 where nobody knows. */
  cost_usd: number;
  created_at: number;
}

export interface IdempotentAnswerRow {
  key_id: string;
  path: string;
  idempotency_key: string;
  /** SHA-256 of the body, once answered. */
  digest: string | null;
  /** The answer's JSON; null while the call runs. */
  answer: string | null;
  created_at: number;
}

export interface SecretRow {
  name: string;
  value: string;
  created_at: number;
}

export interface Schema {
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  backdrops: BackdropRow;
  designs: DesignRow;
  engine_calls: EngineCallRow;
  idempotent_answers: IdempotentAnswerRow;
  illustrations: IllustrationRow;
  jobs: JobRow;
  paintings: PaintingRow;
  preset_grants: PresetGrantRow;
  presets: PresetRow;
  secrets: SecretRow;
}
