/**
 * The jobs as pg-boss keeps them in PostgreSQL: one row each, in a schema of its own beside the service's tables.
 *
 *     enqueued ──> created ──claimed──> active ──finished───────────> no row
 *                                       ↑    │
 *                                       └────┴─put back, or its process fell silent: retry
 *
 * pg-boss writes all rows; only what it has no call for is read here in SQL. Each claim of a job has a number, and
 * whoever lost it (`retryCount` has moved on) changes nothing of the job any more. How often a job failed, paused and
 * lost its process lies in its `data`. pg-boss's own supervision is off: its shortest lease is 10 s.
 */
import { CompiledQuery, type Kysely } from 'kysely';
import { type CommandResponse, type Db, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { openPostgres, withPatientConnection } from '../storage/postgres.ts';
import { storageUnavailable } from '../storage/storage-errors.ts';
import { type Line, noAccount, prioritiesOf, takeTurns } from './fair-turns.ts';
import type { JobCounts, JobTurn } from './queue.ts';

const schema = 'packshot_jobs';
/** Claims and heartbeats must not wait behind the callers' statements, so they have connections of their own. */
const connections = 4;
/** pg-boss refreshes what it knows of queues; ours never change. */
const hourS = 3_600;

/** No transaction that began before a name was made is still open after this. */
const youngMs = 60_000;
/** The largest that fits: how often a job is tried is counted here. */
const noLimit = 2 ** 31 - 1;

/** What has happened to a job so far. */
export interface JobTrials {
  /** Counted failures. */
  readonly attempts: number;
  /** Pauses in a row. */
  readonly pauses: number;
  /** Processes that fell silent while they worked on it. */
  readonly deaths: number;
}

const noTrials: JobTrials = { attempts: 0, pauses: 0, deaths: 0 };

/** A job in the hands of one process. */
export interface Claim {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  /** Which claim of the job it is. */
  readonly retryCount: number;
  readonly createdAt: Date;
  readonly trials: JobTrials;
}

export type AbandonedClaim = Pick<Claim, 'id' | 'name' | 'retryCount' | 'trials'>;

export type PgBossRows = Awaited<ReturnType<typeof openPgBossRows>>;

/** Throws `storage_unavailable`. */
export async function openPgBossRows(options: {
  readonly url: string;
  readonly database: Database;
  readonly onError: (error: unknown) => void;
}) {
  const { url, database, onError } = options;
  await withPatientConnection(url, async (patient) => {
    const builder = newBoss(patient, { migrate: true, onError });
    await builder.start();
    await builder.stop({ graceful: false, close: false });
  });
  const connection = openPostgres({ url, poolSize: connections }, onError);
  const boss = newBoss(connection, { migrate: false, onError });
  await boss.start().catch(async (error) => {
    await connection.destroy();
    throw error;
  });
  const known = new Map<string, { readonly made: Promise<void>; readonly at: number }>();

  /** pg-boss wants to know a name before there are jobs of it. */
  async function ensureName(name: string): Promise<void> {
    const entry = known.get(name) ?? { made: makeName(name), at: performance.now() };
    known.set(name, entry);
    try {
      await entry.made;
    } catch (error) {
      known.delete(name);
      throw error;
    }
  }

  async function makeName(name: string): Promise<void> {
    if (await boss.getQueue(name)) return;
    await boss.createQueue(name, { policy: 'exclusive', retryLimit: noLimit, retryDelay: 0 });
  }

  /** Without a word pg-boss inserts nothing where the transaction is older than the name, and so does not see it. */
  async function requireName(name: string, transaction: DatabaseOrTransaction): Promise<void> {
    if (performance.now() - known.get(name)!.at > youngMs) return;
    const rows = await ask(transaction, `select 1 from ${schema}.queue where name = $1`, [name]);
    if (rows.length === 0)
      throw storageUnavailable(Object.assign(new Error(`${name} is new`), { code: '40001' }));
  }

  return {
    ...readRows(database),

    async insert(
      name: string,
      keys: readonly string[],
      transaction: DatabaseOrTransaction,
      { delayMs = 0, rank = 0, accountId }: JobTurn,
    ): Promise<void> {
      await ensureName(name);
      await requireName(name, transaction);
      // What is active is found by pg-boss's index of groups (`job_i7`), so each job has one.
      const turn = { startAfter: delayMs / 1000, group: { id: accountId ?? noAccount } };
      // Over a connection of its own: read in the caller's transaction, the line would be in conflict with every other
      // caller and worker. Two that are enqueued at the same moment may get the same turn, which does no harm.
      const priorities =
        accountId === undefined
          ? Array<number>(keys.length).fill(prioritiesOf(rank).highest)
          : takeTurns(rank, keys.length, await readLine(connection, name, rank, accountId));
      const jobs = keys.map((key, i) => ({ singletonKey: key, priority: priorities[i]!, ...turn }));
      await boss.insert(name, jobs, { db: speak(transaction), returnId: false });
    },

    /** Those whose turn it is, at most so many. */
    async claim(name: string, most: number): Promise<Claim[]> {
      await ensureName(name);
      const jobs = await boss.fetch<JobTrials | null>(name, { batchSize: most, includeMetadata: true });
      return jobs.map(toClaim);
    },

    /** The jobs are over and forgotten. Answers how many of the claims still held. */
    async finish(
      name: string,
      claims: readonly Claim[],
      transaction: DatabaseOrTransaction = connection,
    ): Promise<number> {
      return countHeld(await boss.deleteJob(name, [...claims], { db: speak(transaction) }));
    },

    /** Others may claim the job when the pause is over. Answers whether this claim still held. */
    async putBack(claim: AbandonedClaim, trials: JobTrials, pauseMs: number): Promise<boolean> {
      // Not serializable: each statement asks for the claim itself, and a touch on the way is no conflict.
      return connection.transaction().execute(async (transaction) => {
        const db = speak(transaction);
        if (countHeld(await boss.fail(claim.name, claim, null, { db })) === 0) return false;
        await boss.update(claim.name, trials, { id: claim.id, startAfter: pauseMs / 1000, db });
        return true;
      });
    },

    /** Says that this process is alive and at work on them. Answers how many of the claims still hold. */
    async touch(name: string, claims: readonly Claim[]): Promise<number> {
      return countHeld(await boss.touch(name, [...claims]));
    },

    /** Claims of these names that nobody has touched for so long, by the database's clock. */
    async findAbandoned(names: readonly string[], silentMs: number): Promise<AbandonedClaim[]> {
      const rows = await ask<{ id: string; name: string; retry_count: number; data: JobTrials | null }>(
        connection,
        `select id, name, retry_count, data from ${schema}.job
          where state = 'active' and group_id is not null and name = any($1)
            and heartbeat_on < ${schema}.job_now() - $2 * interval '1 ms'`,
        [names, silentMs],
      );
      return rows.map(({ retry_count, data, ...row }) => ({
        ...row,
        retryCount: retry_count,
        trials: { ...noTrials, ...data },
      }));
    },

    async close(): Promise<void> {
      await boss.stop({ graceful: false, close: false });
      await connection.destroy();
    },
  };
}

/** Over the service's own connections, which outlive the queue. */
function readRows(database: Database) {
  // As pg-boss writes it into its unique index of keys (`job_i6`), so that this is what is read.
  const isOpen = `name = $1 and state <= 'active' and policy = 'exclusive'`;
  const isKey = `coalesce(singleton_key, '')`;
  return {
    async count(name: string): Promise<number> {
      const [row] = await ask<{ count: number }>(
        database,
        `select count(*) from ${schema}.job where ${isOpen}`,
        [name],
      );
      return Number(row!.count);
    },

    async countOf(name: string, accountId: string): Promise<number> {
      const [row] = await ask<{ count: number }>(
        database,
        `select count(*) from ${schema}.job where ${isOpen} and group_id = $2`,
        [name, accountId],
      );
      return Number(row!.count);
    },

    async listKeys(name: string, keyPrefix: string): Promise<string[]> {
      const rows = await ask<{ key: string }>(
        database,
        `select ${isKey} as key from ${schema}.job where ${isOpen} and starts_with(${isKey}, $2)`,
        [name, keyPrefix],
      );
      return rows.map(({ key }) => key);
    },

    async isWaiting(name: string, key: string): Promise<boolean> {
      const rows = await ask(
        database,
        `select 1 from ${schema}.job where ${isOpen} and ${isKey} = $2 and state < 'active'`,
        [name, key],
      );
      return rows.length > 0;
    },

    /** Ranks below 0 do not count. */
    async findOldest(name: string): Promise<Date | undefined> {
      const [row] = await ask<{ oldest: Date | null }>(
        database,
        `select min(created_on) as oldest from ${schema}.job where ${isOpen} and priority >= $2`,
        [name, prioritiesOf(0).lowest],
      );
      return row!.oldest ?? undefined;
    },

    async survey(): Promise<JobCounts[]> {
      const isDue = `start_after <= ${schema}.job_now()`;
      const rows = await ask<
        Record<'waiting' | 'delayed' | 'running', number> & { name: string; oldest: Date }
      >(
        database,
        `select name, min(created_on) as oldest,
                count(*) filter (where state < 'active' and ${isDue}) as waiting,
                count(*) filter (where state < 'active' and not ${isDue}) as delayed,
                count(*) filter (where state = 'active') as running
           from ${schema}.job where state <= 'active' group by name order by name`,
        [],
      );
      return rows.map(({ name, oldest, ...counts }) => ({
        name,
        waiting: Number(counts.waiting),
        delayed: Number(counts.delayed),
        running: Number(counts.running),
        oldest,
      }));
    },
  };
}

/** What waits lies in the order of turns in pg-boss's index of them (`job_i11`). */
async function readLine(
  connection: DatabaseOrTransaction,
  name: string,
  rank: number,
  accountId: string,
): Promise<Line> {
  const { lowest, highest } = prioritiesOf(rank);
  const isOfRank = `name = $1 and priority between $2 and $3`;
  const waits = `${isOfRank} and state < 'active' and not blocked`;
  const runs = `${isOfRank} and state = 'active' and group_id is not null`;
  const isOwn = 'group_id = $4';
  const [row] = await ask<Record<'next' | 'lowest' | 'own', number | null>>(
    connection,
    `select (select max(priority) from ${schema}.job where ${waits} and start_after <= ${schema}.job_now()) as next,
            least((select min(priority) from ${schema}.job where ${waits}),
                  (select min(priority) from ${schema}.job where ${runs})) as lowest,
            least((select min(priority) from ${schema}.job where ${waits} and ${isOwn}),
                  (select min(priority) from ${schema}.job where ${runs} and ${isOwn})) as own`,
    [name, lowest, highest, accountId],
  );
  return { next: row!.next ?? undefined, lowest: row!.lowest ?? undefined, own: row!.own ?? undefined };
}

function newBoss(
  connection: DatabaseOrTransaction,
  options: { readonly migrate: boolean; readonly onError: (error: unknown) => void },
): PgBoss {
  const boss = new PgBoss({
    db: speak(connection),
    schema,
    migrate: options.migrate,
    createSchema: options.migrate,
    supervise: false,
    schedule: false,
    useListenNotify: false,
    queueCacheIntervalSeconds: hourS,
  });
  boss.on('error', options.onError);
  return boss;
}

/** How pg-boss talks to PostgreSQL: over connections of ours, whose errors are ours as well. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any shape, as pg-boss has them.
function speak(connection: Kysely<any>): Db {
  return { executeSql: async (text, values = []) => ({ rows: await ask(connection, text, values) }) };
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function ask<Row>(connection: Kysely<any>, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await connection.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
}

/** Its type does not say so, its manual does: https://pgboss.io/api/jobs. */
const countHeld = (response: CommandResponse): number => (response as { affected: number }).affected;

function toClaim(job: JobWithMetadata<JobTrials | null>): Claim {
  const { id, name, retryCount, singletonKey, createdOn, data } = job;
  return {
    id,
    name,
    key: singletonKey ?? '',
    retryCount,
    createdAt: createdOn,
    trials: { ...noTrials, ...data },
  };
}
