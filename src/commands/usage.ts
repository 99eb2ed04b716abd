/** `packshot usage`: prints the usage of each key per day, for billing. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import Papa from 'papaparse';
import { fromMilli } from '../accounts/credit-store.ts';
import { createUsageStore, dayOf, type UsageOfDay } from '../accounts/usage-store.ts';
import { printRows } from './shared/format-table.ts';
import { withRows } from './shared/open-stores.ts';

const dayMs = 86_400_000;

export function addUsage(program: Command): void {
  program
    .command('usage')
    .description('Show usage per key and day (UTC): uploads, pictures, credits, engine costs.')
    .option('--from <day>', 'first day, such as 2026-01-31 (default: 30 days ago)', parseDay)
    .option('--to <day>', 'last day (default: today)', parseDay)
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .option('--json', 'print JSON')
    .action(async ({ from, to, csv, json }) => {
      const now = Date.now();
      await withRows(async ({ database }) => {
        const usage = await createUsageStore(database, Date.now).listUsage(
          from ?? dayOf(now - 30 * dayMs),
          to ?? dayOf(now),
        );
        const rows = usage.map(toRow);
        if (csv) console.log(Papa.unparse({ fields: Object.keys(columns), data: rows }, { newline: '\n' }));
        else printRows(rows, { json, none: 'No usage in this period.', toRow: toTableRow });
      });
    });
}

/** The columns of JSON and CSV, whose names programs rely on. */
const columns: Readonly<Record<string, (usage: UsageOfDay) => string | number>> = {
  day: ({ day }) => day,
  key: ({ key_id }) => key_id,
  name: ({ name }) => name,
  uploads: ({ uploads }) => uploads,
  previews: ({ previews }) => previews,
  full_versions: ({ full_versions }) => full_versions,
  credits: ({ credits_milli }) => fromMilli(Number(credits_milli)),
  engine_calls: ({ engine_calls }) => engine_calls,
  engine_cost_usd: ({ engine_cost_usd }) => Number(engine_cost_usd.toFixed(6)),
};

type Row = Record<string, string | number>;

const toRow = (usage: UsageOfDay): Row =>
  Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(usage)]));

const toTableRow = ({ full_versions: full, engine_calls: calls, engine_cost_usd: usd, ...row }: Row) => ({
  ...row,
  full,
  'engine calls': calls,
  'engine usd': usd,
});

function parseDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(`${text}T00:00:00Z`)))
    throw new InvalidArgumentError('Needs a day such as 2026-01-31.');
  return text;
}
