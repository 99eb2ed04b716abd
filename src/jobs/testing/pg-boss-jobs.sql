-- The jobs of the release before 0021, as pg-boss 12.35.0 stored them: three cutouts of which one runs, an item of a
-- batch, a delivery that is due later, a painting that has failed four times, and an errand.
-- From pg_dump; without tables, columns and indexes that are empty or not read.
create schema packshot_jobs;

CREATE TYPE packshot_jobs.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);

CREATE TABLE packshot_jobs.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state packshot_jobs.job_state DEFAULT 'created'::packshot_jobs.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);

create table packshot_jobs.job_common partition of packshot_jobs.job default;

insert into packshot_jobs.job
  (id, name, priority, data, state, retry_limit, retry_count, retry_delay, retry_backoff, expire_seconds, deletion_seconds, singleton_key, group_id, start_after, created_on, started_on, keep_until, policy, heartbeat_on, blocked, blocking, pending_dependencies)
values
  ('434acd8e-9f36-422a-aa8a-192bf598a5a2', 'cutout', -1, null, 'created', 2147483647, 0, 0, 'f', 900, 604800, 'dsg_a', 'acc_a', '2026-11-22 22:01:03.799768+00', '2026-11-22 22:01:03.799768+00', null, '2026-12-06 22:01:03.799768+00', 'exclusive', null, 'f', 'f', 0),
  ('ad9fa5e5-b226-403c-b169-aa7c89e3d4ed', 'cutout', -2, null, 'created', 2147483647, 0, 0, 'f', 900, 604800, 'dsg_b', 'acc_a', '2026-11-22 22:01:03.799768+00', '2026-11-22 22:01:03.799768+00', null, '2026-12-06 22:01:03.799768+00', 'exclusive', null, 'f', 'f', 0),
  ('bccc181d-a0ce-40d6-b4ce-33fd3cf3c19b', 'batch-item', -10000000, null, 'created', 2147483647, 0, 0, 'f', 900, 604800, 'bat_a.0', 'acc_b', '2026-11-22 22:01:03.820112+00', '2026-11-22 22:01:03.820112+00', null, '2026-12-06 22:01:03.820112+00', 'exclusive', null, 'f', 'f', 0),
  ('ca0f6570-79a1-4e42-b68f-c316825eb6d2', 'deliver', 0, null, 'created', 2147483647, 0, 0, 'f', 900, 604800, 'dlv_a.2', 'all', '2026-11-22 23:01:03.830585+00', '2026-11-22 22:01:03.830585+00', null, '2026-12-06 23:01:03.830585+00', 'exclusive', null, 'f', 'f', 0),
  ('5a29e345-3e1f-4d2e-a344-cf1e2e9104b5', 'errand', 20000000, null, 'created', 2147483647, 0, 0, 'f', 900, 604800, 'err_a', 'all', '2026-11-22 22:01:03.88408+00', '2026-11-22 22:01:03.88408+00', null, '2026-12-06 22:01:03.88408+00', 'exclusive', null, 'f', 'f', 0),
  ('081012a5-6b2d-4983-abf9-007ad1efeb71', 'paint', 0, '{"deaths": 0, "pauses": 4, "attempts": 4}', 'retry', 2147483647, 3, 0, 'f', 900, 604800, 'ill_a', 'all', '2026-11-22 22:01:07.760076+00', '2026-11-22 22:01:03.856734+00', '2026-11-22 22:01:05.734984+00', '2026-12-06 22:01:07.606734+00', 'exclusive', null, 'f', 'f', 0),
  ('d021b984-154f-47e3-95bd-1d1598e1373f', 'cutout', 0, null, 'active', 2147483647, 0, 0, 'f', 900, 604800, 'dsg_running', 'acc_a', '2026-11-22 22:01:03.799768+00', '2026-11-22 22:01:03.799768+00', '2026-11-22 22:01:03.89994+00', '2026-12-06 22:01:03.799768+00', 'exclusive', '2026-11-22 22:01:06.897167+00', 'f', 'f', 0);
