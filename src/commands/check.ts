/** `packshot check`: checks finished pictures against the rules of marketplaces, on this machine. */
import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { createPhotoInspector } from '../designs/inspect-photo.ts';
import { PackshotError } from '../errors.ts';
import { asHeic, judgeAll, type ListingCheck } from '../listing/check-listing.ts';
import { type MarketplaceId, marketplaceIds } from '../listing/listing-rule.ts';
import { createHeicConverter } from '../workers/heic-converter.ts';
import { openImagingPool } from '../workers/pools.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options {
  readonly for: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('Check pictures against the rules of marketplaces.')
    .description(
      'Check pictures against the rules of marketplaces: measured values beside each rule, and the recipe that passes. Nothing leaves this machine.',
    )
    .argument('<picture...>', 'finished pictures, as they would be sent to a marketplace')
    .requiredOption(
      '--for <marketplaces>',
      `one or more of ${marketplaceIds.join(', ')}, separated by commas`,
    )
    .option('--json', 'print one JSON line per picture')
    .option('-q, --quiet', 'print only what does not pass')
    .addHelpText('after', help)
    .action(check);
}

const help = `
Passing our checks is no promise: what pixels do not tell is listed as not checked, and the marketplace decides.

Exit code: 0 all pass, 1 some do not, 2 invalid command line.

Examples:
  packshot check out/mug.jpg --for amazon
  packshot check out/*.jpg --for amazon,google -q
  packshot remove mug.jpg -o mug-white.jpg --recipe Listing_amazon_main && packshot check mug-white.jpg --for amazon`;

async function check(pictures: readonly string[], options: Options, command: Command): Promise<void> {
  const ids = [...new Set(options.for.split(/[\s,]+/).filter((id) => id !== ''))];
  const unknown = ids.filter((id) => !marketplaceIds.some((known) => known === id));
  if (ids.length === 0 || unknown.length > 0) {
    command.error(
      `error: --for takes ${marketplaceIds.join(', ')}${unknown.length > 0 ? `; not ${unknown.join(', ')}` : ''}`,
      {
        exitCode: 2,
      },
    );
  }
  const { limits, readsHeic } = loadToolConfig().designs;
  const pool = openImagingPool({ size: 1, maxWaiting: Number.POSITIVE_INFINITY });
  const heic = readsHeic ? createHeicConverter() : undefined;
  const inspector = createPhotoInspector({ imaging: pool.tasks, heic, limits });
  const task = { signal: new AbortController().signal, urgency: 'generated', account: undefined } as const;

  async function checkFile(path: string): Promise<ListingCheck> {
    const size = (await stat(path)).size;
    if (size > limits.maxBytes)
      throw new PackshotError('file_too_large', `The file is larger than ${limits.maxBytes} bytes.`);
    const bytes = new Uint8Array(await readFile(path));
    const readable = await inspector.toReadable(bytes, task);
    const measures = await pool.tasks.measurePicture(
      { bytes: readable, limits: { ...limits, maxBytes: Number.MAX_SAFE_INTEGER } },
      task,
    );
    return judgeAll(readable === bytes ? measures : asHeic(measures, bytes), ids as MarketplaceId[], null);
  }

  try {
    for (const path of pictures) {
      try {
        const found = await checkFile(path);
        if (!found.passes) process.exitCode = 1;
        print(path, found, options);
      } catch (error) {
        process.exitCode = 1;
        const why = error instanceof Error ? error.message : String(error);
        if (options.json) console.log(JSON.stringify({ picture: path, error: why }));
        else console.error(`FAILED   ${path}: ${why}`);
      }
    }
  } finally {
    await Promise.all([pool.close(), heic?.close()]);
  }
}

function print(path: string, found: ListingCheck, { json, quiet }: Options): void {
  if (json) console.log(JSON.stringify({ picture: path, ...found }));
  else if (!quiet || !found.passes) console.log(describe(path, found, quiet ?? false));
}

const marks = { passes: 'ok  ', fails: 'FAIL', not_measured: '?   ' } as const;

function describe(path: string, { checks }: ListingCheck, quiet: boolean): string {
  const blocks = checks
    .filter(({ verdict }) => !quiet || verdict !== 'passes')
    .map(({ summary, rules, notChecked, fix }) => {
      const shown = rules.filter(({ outcome }) => !quiet || outcome !== 'passes');
      const lines = shown.map(
        ({ id, title, level, outcome, measured, expected, source }) =>
          `    ${level === 'advised' && outcome === 'fails' ? 'note' : marks[outcome]} ${id.padEnd(13)} ${String(measured ?? 'not measured').padEnd(16)} ${expected} (${title}; ${level}, ${source.kind}, ${source.checkedOn})`,
      );
      const mend = fix
        ? [
            `    fix: packshot remove PHOTO -o OUT.jpg --recipe ${fix.recipeId}`,
            ...fix.remains.map((what) => `    ${what}`),
          ]
        : [];
      return [`  ${summary}`, ...lines, `    not checked: ${notChecked.join('; ')}`, ...mend].join('\n');
    });
  return [path, ...blocks].join('\n');
}
