-- The schema of the first release; `schema.ts` explains the columns. SQLite and PostgreSQL both speak this SQL.

-- Accounts, their keys, and what keys have spent.

create table accounts (
  id text primary key,
  name text not null,
  created_at bigint not null
);

create table api_keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  hash text not null unique,
  hint text not null,
  scopes text not null,
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  mode text not null default 'live',
  quota_id text not null default '',
  rate_per_second double precision,
  rate_burst integer
);

create table key_events (
  id text primary key,
  key_id text not null,
  action text not null,
  actor text not null,
  details text,
  created_at bigint not null
);

create table quotas (
  id text primary key,
  remaining_milli bigint,
  used_milli bigint not null default 0
);

create table charges (
  quota_id text not null,
  etag text not null,
  credits_milli bigint not null,
  holders integer not null,
  charged_at bigint,
  updated_at bigint not null,
  constraint charges_pk primary key (quota_id, etag)
);
create index charges_age on charges (updated_at);

create table usage_days (
  key_id text not null,
  day text not null,
  uploads integer not null,
  previews integer not null,
  full_versions integer not null,
  credits_milli bigint not null,
  engine_calls integer not null default 0,
  engine_cost_usd double precision not null default 0,
  constraint usage_days_pk primary key (key_id, day)
);

create table idempotent_answers (
  key_id text not null,
  path text not null,
  idempotency_key text not null,
  digest text,
  answer text,
  created_at bigint not null,
  owner_id text,
  constraint idempotent_answers_pk primary key (key_id, path, idempotency_key)
);
create index idempotent_answers_age on idempotent_answers (created_at);
create index idempotent_answers_owner on idempotent_answers (owner_id);
create index idempotent_answers_key on idempotent_answers (key_id, created_at);

create table presets (
  name text primary key,
  definition text not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table preset_grants (
  preset text not null references presets (name) on delete cascade,
  key_id text not null references api_keys (id) on delete cascade,
  created_at bigint not null,
  constraint preset_grants_pk primary key (preset, key_id)
);
create index preset_grants_key on preset_grants (key_id);

-- Designs and everything that is made of them.

create table designs (
  id text primary key,
  account_id text not null references accounts (id),
  state text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint,
  image text not null,
  subject text,
  cutout_version text,
  failure text,
  file_name text,
  kind_hint text,
  product text,
  cutout_due_at bigint,
  cutout_left_out text,
  cutout_name text,
  stored_bytes bigint not null default 0
);
create index designs_expiry on designs (expires_at);
create index designs_state on designs (state);
create index designs_stored on designs (account_id, stored_bytes);

create table backdrops (
  id text primary key,
  account_id text not null references accounts (id),
  image text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint,
  stored_bytes bigint not null default 0
);
create index backdrops_expiry on backdrops (expires_at);
create index backdrops_stored on backdrops (account_id, stored_bytes);

create table illustrations (
  id text primary key,
  design_id text not null references designs (id) on delete cascade,
  account_id text not null,
  plan text not null,
  created_at bigint not null,
  brief text,
  used_at bigint
);
create index illustrations_design on illustrations (design_id);

create table paintings (
  illustration_id text primary key references illustrations (id) on delete cascade,
  key_id text not null,
  state text not null,
  engine text not null,
  engine_version text not null,
  made text,
  failure text,
  created_at bigint not null,
  asks integer not null default 0,
  answer text,
  retry_at bigint
);
create index paintings_state on paintings (state, key_id);

-- No reference to paintings, which are deleted with their designs: spending stays on record.
create table engine_calls (
  id text primary key,
  key_id text not null,
  engine text not null,
  cost_usd double precision not null,
  created_at bigint not null
);
create index engine_calls_spent on engine_calls (key_id, created_at);

create table batches (
  id text primary key,
  account_id text not null,
  key_id text not null,
  sandbox integer not null,
  state text not null,
  events text not null,
  created_at bigint not null,
  ended_at bigint,
  expires_at bigint,
  stored_bytes bigint not null default 0
);
create index batches_expiry on batches (expires_at);
create index batches_stored on batches (account_id, stored_bytes);

create table batch_items (
  batch_id text not null references batches (id) on delete cascade,
  position integer not null,
  state text not null,
  file_name text not null,
  recipe text not null,
  url text,
  design_id text,
  result text,
  failure text,
  photo integer,
  photo_name text,
  constraint batch_items_pk primary key (batch_id, position)
);
create index batch_items_state on batch_items (batch_id, state);

-- Work in the queue, events to deliver, and what processes share.

create table jobs (
  id text primary key,
  name text not null,
  key text not null,
  attempts integer not null default 0,
  run_at bigint not null,
  created_at bigint not null,
  rank integer not null default 0,
  account_id text,
  claim text,
  input text,
  touched_at bigint,
  pauses integer not null default 0,
  deaths integer not null default 0,
  constraint jobs_name_key unique (name, key)
);
create index jobs_turn on jobs (name, rank desc, created_at, run_at);
create index jobs_account on jobs (name, account_id, rank);
create index jobs_touched on jobs (touched_at) where touched_at is not null;

create table dead_jobs (
  id text primary key,
  name text not null,
  key text not null,
  attempts integer not null,
  error text not null,
  created_at bigint not null,
  died_at bigint not null
);
create index dead_jobs_age on dead_jobs (died_at);

create table call_results (
  id text primary key,
  result text not null,
  created_at bigint not null
);

create table webhook_endpoints (
  id text primary key,
  account_id text not null references accounts (id),
  url text not null,
  events text not null,
  secret text not null,
  old_secret text,
  old_secret_until bigint,
  failing_since bigint,
  disabled_at bigint,
  disabled_because text,
  created_at bigint not null
);
create index webhook_endpoints_account on webhook_endpoints (account_id);

create table events (
  id text primary key,
  account_id text not null,
  type text not null,
  payload text not null,
  created_at bigint not null
);
create index events_age on events (created_at);

create table deliveries (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  state text not null,
  tries integer not null,
  earlier_tries integer not null,
  outcome text,
  updated_at bigint not null,
  constraint deliveries_once unique (event_id, endpoint_id)
);
create index deliveries_state on deliveries (endpoint_id, state);

create table secrets (
  name text primary key,
  value text not null,
  created_at bigint not null,
  verifies_until bigint
);

create table service_facts (
  name text primary key,
  value text not null,
  updated_at bigint not null
);
