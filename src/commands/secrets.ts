/** `packshot secrets`: lists and rotates signing secrets, with or without a running service. */
import { Argument, type Command } from 'commander';
import { loadConfig } from '../config.ts';
import { illustrationSecret, longestUriLifeMs } from '../illustrations/illustration-uri.ts';
import { backdropUriLifeMs } from '../illustrations/keep-backdrop.ts';
import { pictureSecret } from '../picture-urls/url-signer.ts';
import { listSecrets, rotateSecret } from '../storage/secret-store.ts';
import { printRows, toMinute } from './shared/format-table.ts';
import { withRows } from './shared/open-stores.ts';
import { parseNumber } from './shared/parse-options.ts';

const names = [illustrationSecret, pictureSecret];
const dayMs = 86_400_000;
const clock = Date.now;

export function addSecrets(program: Command): void {
  const secrets = program.command('secrets').description('Manage the secrets that sign URIs of the service.');

  secrets
    .command('list')
    .description('List the secrets that sign or are still accepted, with dates but without their values.')
    .option('--json', 'print JSON')
    .action(async ({ json }) => {
      await withRows(async ({ database }) => {
        const all = (await Promise.all(names.map((name) => listSecrets(database, name, clock)))).flat();
        printRows(all, { json, none: 'No secrets yet.', toRow });
      });
    });

  secrets
    .command('rotate')
    .summary('Sign with a new secret; the old one is accepted for a while.')
    .description(
      'Sign with a new secret from now on. Running services use it within a minute. Signatures made with the old one are accepted until the last of them expires; after a leak, use --overlap-days 0 to reject them immediately.',
    )
    .addArgument(new Argument('<name>', 'what the secret signs').choices(names))
    .option('--overlap-days <days>', 'how long old secrets are accepted', parseNumber(0, 36_500))
    .action(async (name: string, { overlapDays }: { readonly overlapDays?: number }) => {
      const overlapMs = overlapDays === undefined ? longestLifeMs() : overlapDays * dayMs;
      await withRows(({ database }) => rotateSecret(database, name, { clock, overlapMs }));
      console.log(
        overlapMs === 0
          ? `A new secret signs ${name}. Older signatures are no longer accepted.`
          : `A new secret signs ${name}. Older signatures are accepted until ${new Date(clock() + overlapMs).toISOString()} at the latest.`,
      );
    });
}

/** The longest lifetime of any signed URI. */
function longestLifeMs(): number {
  const { retentionMs } = loadConfig(process.env).designs;
  return Math.max(retentionMs ?? longestUriLifeMs, backdropUriLifeMs);
}

const toRow = ({ name, createdAt, verifiesUntil }: Awaited<ReturnType<typeof listSecrets>>[number]) => ({
  name,
  created: toMinute(createdAt),
  state: verifiesUntil === null ? 'signs' : `accepted until ${toMinute(verifiesUntil)}`,
});
