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
  designs: DesignRow;
  illustrations: IllustrationRow;
  jobs: JobRow;
  secrets: SecretRow;
}
