/** `packshot presets`: saves caller presets and grants them to keys, with or without a running service. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { PackshotError } from 'packshot-errors';
import { listPresetSettings, listPresetStyles } from 'packshot-sets';
import type { PresetStore } from '../accounts/preset-store.ts';
import { aiStudio, type Preset } from '../recipes/presets.ts';
import { type PresetReview, reviewPreset } from '../recipes/review-preset.ts';
import { printRows } from './shared/format-table.ts';
import { resolveKey, withAccounts } from './shared/open-stores.ts';
import { formatPreset, parsePresetFile } from './shared/preset-file.ts';
import { invalid } from './shared/refuse.ts';

export function addPresets(program: Command): void {
  const presets = program
    .command('presets')
    .description('Manage caller presets: the recipes, styles and colors that are suggested to a key.');

  presets
    .command('create')
    .description('Save the presets of a file. If one is invalid, none is saved.')
    .argument('<file>', 'YAML or JSON file with one preset or a list; - for standard input')
    .option('--replace', 'replace presets of the same name and keep their grants')
    .action(create);

  presets
    .command('check')
    .description(
      'Show what the presets of a file would suggest, with warnings about settings that would not work as written.',
    )
    .argument('<file>', 'as for create')
    .action(async (file) => {
      for (const preset of await readPresets(file)) printReview(preset, reviewPreset(preset));
    });

  presets.command('list').description('List the presets.').option('--json', 'print JSON').action(list);

  presets
    .command('show')
    .description('Print a preset as YAML, and the keys that can use it.')
    .argument('<preset>', 'from `presets list`')
    .action(show);

  presets
    .command('grant')
    .description('Allow keys to use a preset.')
    .argument('<preset>', 'from `presets list`')
    .requiredOption('--key <key>', 'key id or name from `keys list`; can be repeated', collect)
    .action(grant);

  presets
    .command('revoke')
    .description('Stop keys from using a preset, immediately.')
    .argument('<preset>', 'from `presets list`')
    .requiredOption('--key <key>', 'key id or name from `keys list`; can be repeated', collect)
    .action(revoke);

  presets
    .command('remove')
    .description('Delete a preset and its grants, immediately.')
    .argument('<preset>', 'from `presets list`')
    .action(remove);
}

async function create(file: string, options: { replace?: boolean }): Promise<void> {
  const read = await readPresets(file);
  await withAccounts((_, presets) => presets.savePresets(read, { replace: options.replace ?? false }));
  for (const preset of read) {
    console.log(
      `Saved ${preset.name}. \`packshot presets grant ${asWord(preset.name)} --key KEY\` allows a key to use it.`,
    );
    for (const warning of reviewPreset(preset).warnings) console.error(`warning: ${warning}`);
  }
}

async function list(options: { json?: boolean }): Promise<void> {
  await withAccounts(async (_, presets) => {
    const grants = await presets.listGrants();
    const all = (await presets.listPresets()).map((preset) => ({
      ...preset,
      keys: grants.filter((given) => given.preset === preset.name).map(({ keyId }) => keyId),
    }));
    const none = `No presets. ${aiStudio.name} is built in and always available.`;
    printRows(all, { json: options.json, none, toRow });
  });
}

async function show(name: string): Promise<void> {
  await withAccounts(async (accounts, presets) => {
    const preset = await resolvePreset(presets, name);
    const grants = await presets.listGrants(name);
    const keys = new Map((await accounts.listKeys()).map((key) => [key.id, key]));
    if (grants.length === 0) console.log('# No key can use it.');
    for (const { keyId, createdAt } of grants) {
      console.log(`# ${keyId} (${keys.get(keyId)?.name}) can use it since ${createdAt.toISOString()}`);
    }
    process.stdout.write(formatPreset(preset));
  });
}

async function grant(name: string, { key: named }: { key: readonly string[] }): Promise<void> {
  await withAccounts(async (accounts, presets) => {
    await resolvePreset(presets, name);
    const keys = await Promise.all(named.map((one) => resolveKey(accounts, one)));
    const revoked = keys.find(({ revokedAt }) => revokedAt);
    if (revoked) throw invalid(`${revoked.id} is revoked. Nothing was granted.`);
    for (const { id, name: keyName } of keys) {
      await presets.grantPreset(name, id);
      console.log(`${id} (${keyName}) can use ${name}.`);
    }
  });
}

async function revoke(name: string, { key: named }: { key: readonly string[] }): Promise<void> {
  await withAccounts(async (accounts, presets) => {
    await resolvePreset(presets, name);
    const keys = await Promise.all(named.map((one) => resolveKey(accounts, one)));
    for (const { id } of keys) {
      const had = await presets.revokeGrant(name, id);
      console.log(had ? `${id} can no longer use ${name}.` : `${id} had no grant for ${name}.`);
    }
  });
}

async function remove(name: string): Promise<void> {
  await withAccounts(async (_, presets) => {
    const keyIds = await presets.removePreset(name);
    if (!keyIds) throw noSuchPreset(name);
    const grants = `${keyIds.length === 1 ? 'grant' : 'grants'} to ${keyIds.join(', ')}`;
    console.log(`Removed ${name}${keyIds.length > 0 ? ` and its ${grants}` : ''}.`);
  });
}

async function resolvePreset(presets: PresetStore, name: string): Promise<Preset> {
  const preset = await presets.findPreset(name);
  if (!preset) throw noSuchPreset(name);
  return preset;
}

function noSuchPreset(name: string): PackshotError {
  return new PackshotError(
    'invalid_field',
    name === aiStudio.name
      ? `${name} is built in and cannot be changed.`
      : `There is no preset ${name}; \`packshot presets list\` shows all of them.`,
  );
}

async function readPresets(file: string): Promise<Preset[]> {
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new PackshotError('invalid_field', `Cannot read ${file}.`, { cause });
  }
  return parsePresetFile(content);
}

function toRow(preset: Preset & { readonly keys: readonly string[] }) {
  return {
    name: preset.name,
    'plain recipes': [...(preset.families ?? []), ...(preset.recipes ?? [])].join(' ') || 'none',
    scenes: preset.styles === undefined ? 'all' : preset.styles.join(' ') || 'none',
    palette: preset.palette?.join(' ') ?? '',
    ratios: preset.ratios?.join(' ') ?? 'all',
    keys: preset.keys.length,
  };
}

/** Prints what each aspect ratio would show; ratios with the same lists are printed together. */
function printReview(preset: Preset, { plans, warnings }: PresetReview): void {
  console.log(preset.name);
  const ratiosOfText = new Map<string, string[]>();
  for (const { ratio, plainLists, sceneLists } of plans) {
    const lines = plainLists.map(
      ({ title, recipes }) =>
        `${title} (${recipes.length}): ${recipes.map((recipe) => recipe.title).join(', ')}`,
    );
    if (sceneLists > 0)
      lines.push(
        `${sceneLists === 1 ? '1 list' : `${sceneLists} lists`} of scenes: ${[...listPresetStyles(preset), ...listPresetSettings(preset)].join(', ')}`,
      );
    const shown = lines.map((line) => `    ${line}`).join('\n') || '    nothing';
    ratiosOfText.set(shown, [...(ratiosOfText.get(shown) ?? []), ratio]);
  }
  for (const [shown, ratios] of ratiosOfText) console.log(`  ${ratios.join(' ')}\n${shown}`);
  for (const warning of warnings) console.log(`  warning: ${warning}`);
}

/** Quotes a name for a shell. */
function asWord(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

function collect(id: string, before: readonly string[] = []): readonly string[] {
  return [...before, id];
}
