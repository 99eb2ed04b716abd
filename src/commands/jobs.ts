/** `packshot jobs`: shows queued jobs and retries failed ones, with or without a running service. */
import type { Command } from 'commander';
import { createDesignStore } from '../designs/design-store.ts';
import { createDeadJobStore, type DeadJob, type DeadJobChoice } from '../jobs/dead-jobs.ts';
import type { JobCounts } from '../jobs/queue.ts';
import { printRows, toMinute } from './shared/format-table.ts';
import { withQueue, withRows } from './shared/open-stores.ts';
import { invalid } from './shared/refuse.ts';
import { retryDeadJob } from './shared/retry-dead-job.ts';

interface Choice {
  readonly all?: boolean;
  readonly name?: string;
}

const clock = Date.now;

export function addJobs(program: Command): void {
  const jobs = program.command('jobs').description('Show queued jobs, and retry failed ones.');

  jobs
    .command('list', { isDefault: true })
    .description(
      'Count queued, running and delayed jobs by name, with the age of the oldest; or list failed jobs.',
    )
    .option('--dead', 'list failed jobs that are no longer retried, with their errors')
    .option('--name <name>', 'only jobs of this name, such as cutout')
    .option('--json', 'print JSON')
    .action(async ({ dead, name, json }: { dead?: boolean; name?: string; json?: boolean }) => {
      await withStores(async ({ queue, deadJobs }) => {
        if (dead) {
          const all = await deadJobs.listDeadJobs({ ...(name && { name }) });
          printRows(all, { json, none: 'No failed jobs.', toRow: toDeadRow });
        } else {
          const all = (await queue.survey()).filter((counts) => name === undefined || counts.name === name);
          printRows(all, { json, none: 'No jobs are queued.', toRow });
        }
      });
    });

  addChoice(jobs.command('retry'))
    .description('Queue failed jobs again. A failed photo is cut out again.')
    .action(async (id: string | undefined, options: Choice) => {
      await withStores(async (stores) => {
        for (const job of await resolveDeadJobs(stores.deadJobs, chooseJobs(id, options))) {
          const { retried, words } = await retryDeadJob(job, stores);
          console.log(words);
          if (!retried) process.exitCode = 1;
        }
      });
    });

  addChoice(jobs.command('forget'))
    .description('Delete failed jobs from the list. Nothing else changes.')
    .action(async (id: string | undefined, options: Choice) => {
      await withStores(async ({ deadJobs }) => {
        const choice = chooseJobs(id, options);
        await resolveDeadJobs(deadJobs, choice);
        const count = await deadJobs.forgetDeadJobs(choice);
        console.log(`Deleted ${count} failed ${count === 1 ? 'job' : 'jobs'}.`);
      });
    });
}

const addChoice = (command: Command): Command =>
  command
    .argument('[id]', 'id from `jobs list --dead`')
    .option('--all', 'all failed jobs')
    .option('--name <name>', 'with --all: only jobs of this name, such as cutout');

function chooseJobs(id: string | undefined, { all, name }: Choice): DeadJobChoice {
  if ((id === undefined) === (all === undefined) || (id !== undefined && name !== undefined))
    throw invalid('Give an id, or --all with or without --name.');
  return { ...(id && { id }), ...(name && { name }) };
}

/** Throws for an unknown id. */
async function resolveDeadJobs(
  deadJobs: ReturnType<typeof createDeadJobStore>,
  choice: DeadJobChoice,
): Promise<readonly DeadJob[]> {
  const found = await deadJobs.listDeadJobs(choice);
  if (found.length === 0 && choice.id !== undefined) throw invalid(`There is no failed job ${choice.id}.`);
  return found;
}

async function withStores(
  work: (stores: Parameters<typeof retryDeadJob>[1]) => Promise<void>,
): Promise<void> {
  await withRows((rows, { storage, designs: { retentionMs } }) =>
    withQueue(storage, rows, (queue) => {
      const { database } = rows;
      const designs = createDesignStore(database, { clock, retentionMs });
      return work({ database, queue, designs, deadJobs: createDeadJobStore(database, clock) });
    }),
  );
}

const toRow = ({ name, waiting, running, delayed, oldest }: JobCounts) => ({
  name,
  waiting,
  running,
  delayed,
  oldest: toAge(clock() - oldest.getTime()),
});

function toAge(ms: number): string {
  const [unit, size] = ms < 60_000 ? ['s', 1_000] : ms < 3_600_000 ? ['min', 60_000] : ['h', 3_600_000];
  return `${Math.round(ms / Number(size))} ${unit}`;
}

const toDeadRow = ({ id, name, key, attempts, diedAt, error }: DeadJob) => ({
  id,
  name,
  key,
  attempts,
  failed: toMinute(diedAt),
  error,
});
