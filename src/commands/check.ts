/** `packshot check`: checks finished pictures against the rules of marketplaces, locally. */
import type { Command } from 'commander';
import type { ListingCheck } from '../../clients/typescript/src/packshot-client.ts';
import { type MarketplaceId, marketplaceIds } from '../listing/marketplaces.ts';
import { openPhoto } from './photo-run/find-photos.ts';
import { parseMarketplaces } from './shared/check-pictures.ts';
import { openOwnService } from './shared/own-service.ts';
import { loadToolConfig } from './shared/tool-config.ts';

interface Options {
  readonly for: readonly MarketplaceId[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('Check pictures against the rules of marketplaces.')
    .description(
      'Check pictures against the rules of marketplaces: prints the measured value for each rule, and a recipe that passes. Nothing leaves this machine.',
    )
    .argument('<picture...>', 'finished pictures, as they would be sent to a marketplace')
    .requiredOption(
      '--for <marketplaces>',
      `one or more of ${marketplaceIds.join(', ')}, separated by commas`,
      parseMarketplaces,
    )
    .option('--json', 'print one JSON line per picture')
    .option('-q, --quiet', 'print only failures')
    .addHelpText('after', help)
    .action(check);
}

const help = `
Passing these checks is not a guarantee: text, logos, props and everything else listed as not checked cannot be judged
from pixels, and the marketplace decides. Small parts beside the product make a verdict unclear: inspect the picture.

Exit code: 0 all pass, 1 some do not, 2 invalid command line.

Examples:
  packshot check out/mug.jpg --for amazon
  packshot check out/*.jpg --for amazon,google -q
  packshot remove mug.jpg -o mug-white.jpg --recipe Listing_amazon_main && packshot check mug-white.jpg --for amazon`;

async function check(pictures: readonly string[], options: Options): Promise<void> {
  const { client, maxBytes, close } = await openOwnService(loadToolConfig(), { role: 'api' });
  try {
    for (const path of pictures) {
      try {
        const picture = await openPhoto({ name: path }, maxBytes);
        const found = await client.checkPicture(picture, { marketplaces: options.for });
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
    await close();
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
