/** `packshot secrets`: the secrets of the service's own making, beside a running service or without one. */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { illustrationSecret, longestUriLifeMs } from '../recipes/illustration-uri.ts';
import { backdropUriLifeMs } from '../scenes/keep-backdrop.ts';
import { listSecrets, rotateSecret } from '../storage/secret-store.ts';
import { formatTable, toMinute } from './format-table.ts';
import { withRows } from './open-rows.ts';

const names = [illustrationSecret];
const dayMs = 86_400_000;
const clock = Date.now;

export function addSecrets(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('Manage the secrets that sign what the service issues.');

  secrets
    .command('list')
    .description('Which secrets sign and which are believed, and until when. Never what they are.')
    .option('--json', 'print JSON')
    .action(async ({ json }) => {
      await withRows(async (database) => {
        const all = (await Promise.all(names.map((name) => listSecrets(database, name, clock)))).flat();
        if (json) console.log(JSON.stringify(all, null, 2));
        else console.log(formatTable(all.map(toRow)));
      });
    });

  secrets
    .command('rotate')
    .summary('Have a new secret sign; the old one is believed for a while.')
    .description(
      'Have a new secret sign from now on. Running services see it within a minute. What the old one signed is believed for as long as any of it lives; with --overlap-days 0, after a leak, it ends at once.',
    )
    .addArgument(new Argument('<name>', 'what the secret signs').choices(names))
    .option('--overlap-days <days>', 'how long the old ones are believed', parseDays)
    .action(async (name: string, { overlapDays }: { readonly overlapDays?: number }) => {
      const overlapMs = overlapDays === undefined ? longestLifeMs() : overlapDays * dayMs;
      await withRows((database) => rotateSecret(database, name, { clock, overlapMs }));
      console.log(
        overlapMs === 0
          ? `A new secret signs ${name}. What older ones signed is no longer believed.`
          : `A new secret signs ${name}. What older ones signed is believed until ${new Date(clock() + overlapMs).toISOString()} at most.`,
      );
    });
}

/** Of all URIs that are issued. */
function longestLifeMs(): number {
  const { retentionMs } = loadConfig(process.env).designs;
  return Math.max(retentionMs ?? longestUriLifeMs, backdropUriLifeMs);
}

const toRow = ({ name, createdAt, verifiesUntil }: Awaited<ReturnType<typeof listSecrets>>[number]) => ({
  name,
  created: toMinute(createdAt),
  state: verifiesUntil === null ? 'signs' : `accepted until ${toMinute(verifiesUntil)}`,
});

function parseDays(text: string): number {
  const days = Number(text);
  if (text.trim() === '' || !(days >= 0 && days <= 36_500))
    throw new InvalidArgumentError('Needs a number from 0 to 36500.');
  return days;
}
