/** `packshot presets`: write caller presets and grant them to keys, beside a running service or without one. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type AccountStore, createAccountStore } from '../accounts/account-store.ts';
import { createPresetStore, type PresetStore } from '../accounts/preset-store.ts';
import { loadConfig } from '../config.ts';
import { PackshotError } from '../errors.ts';
import { aiStudio, listPresetStyles, type Preset } from '../recipes/presets.ts';
import { type PresetReview, reviewPreset } from '../recipes/review-preset.ts';
import { formatTable } from './format-table.ts';
import { openRows } from './open-rows.ts';
import { formatPreset, parsePresetFile } from './preset-file.ts';
import { resolveKey } from './resolve-key.ts';

export function addPresets(program: Command): void {
  const presets = program.command('presets').description('Manage caller presets.');

  presets
    .command('create')
    .description('Keep the presets of a file; all of them or, where one is not valid, none.')
    .argument('<file>', 'YAML or JSON, one preset or a list of them; - reads standard input')
    .option('--replace', 'overwrite presets of the same names; their grants stay')
    .action(create);

  presets
    .command('check')
    .description('Show what the presets of a file would suggest, and what in them does nothing.')
    .argument('<file>', 'as for create')
    .action(async (file) => {
      for (const preset of await readPresets(file)) printReview(preset, reviewPreset(preset));
    });

  presets.command('list').description('List the presets.').option('--json', 'print JSON').action(list);

  presets
    .command('show')
    .description('Print a preset as create takes it, and the keys that may use it.')
    .argument('<name>', 'as `presets list` shows it')
    .action(show);

  presets
    .command('grant')
    .description('Let keys use a preset.')
    .argument('<name>', 'as `presets list` shows it')
    .requiredOption('--key <key>', 'key id or name from `keys list`; can be repeated', collect)
    .action(grant);

  presets
    .command('revoke')
    .description('Take a preset from keys, at once.')
    .argument('<name>', 'as `presets list` shows it')
    .requiredOption('--key <key>', 'key id or name from `keys list`; can be repeated', collect)
    .action(revoke);

  presets
    .command('remove')
    .description('Remove a preset and its grants, at once.')
    .argument('<name>', 'as `presets list` shows it')
    .action(remove);
}

interface Stores {
  readonly presets: PresetStore;
  readonly accounts: AccountStore;
}

async function create(file: string, options: { replace?: boolean }): Promise<void> {
  const read = await readPresets(file);
  await withStores(({ presets }) => presets.savePresets(read, { replace: options.replace ?? false }));
  for (const preset of read) {
    console.log(
      `${preset.name} is kept; \`packshot presets grant ${asWord(preset.name)} --key key_…\` lets a key use it.`,
    );
    for (const warning of reviewPreset(preset).warnings) console.error(`warning: ${warning}`);
  }
}

async function list(options: { json?: boolean }): Promise<void> {
  await withStores(async ({ presets }) => {
    const grants = await presets.listGrants();
    const all = (await presets.listPresets()).map((preset) => ({
      ...preset,
      keys: grants.filter((given) => given.preset === preset.name).map(({ keyId }) => keyId),
    }));
    if (options.json) console.log(JSON.stringify(all, null, 2));
    else if (all.length === 0) console.log(`There are none; everyone has ${aiStudio.name}.`);
    else console.log(formatTable(all.map(toRow)));
  });
}

async function show(name: string): Promise<void> {
  await withStores(async ({ presets, accounts }) => {
    const preset = await resolvePreset(presets, name);
    const grants = await presets.listGrants(name);
    const keys = new Map((await accounts.listKeys()).map((key) => [key.id, key]));
    if (grants.length === 0) console.log('# No key may use it.');
    for (const { keyId, createdAt } of grants) {
      console.log(`# ${keyId} may use it since ${createdAt.toISOString()}: ${keys.get(keyId)?.name}`);
    }
    process.stdout.write(formatPreset(preset));
  });
}

async function grant(name: string, { key: named }: { key: readonly string[] }): Promise<void> {
  await withStores(async ({ presets, accounts }) => {
    await resolvePreset(presets, name);
    const keys = await Promise.all(named.map((one) => resolveKey(accounts, one)));
    const revoked = keys.find(({ revokedAt }) => revokedAt);
    if (revoked) throw new PackshotError('invalid_field', `${revoked.id} is revoked. Nothing was granted.`);
    for (const { id, name: keyName } of keys) {
      await presets.grantPreset(name, id);
      console.log(`${id} (${keyName}) may use ${name}.`);
    }
  });
}

async function revoke(name: string, { key: named }: { key: readonly string[] }): Promise<void> {
  await withStores(async ({ presets, accounts }) => {
    await resolvePreset(presets, name);
    const keys = await Promise.all(named.map((one) => resolveKey(accounts, one)));
    for (const { id } of keys) {
      const had = await presets.revokeGrant(name, id);
      console.log(had ? `${id} may no longer use ${name}.` : `${id} had no grant of ${name}.`);
    }
  });
}

async function remove(name: string): Promise<void> {
  await withStores(async ({ presets }) => {
    const keyIds = await presets.removePreset(name);
    if (!keyIds) throw noSuchPreset(name);
    const granted = keyIds.length > 0 ? `; the grants of ${keyIds.join(', ')} went with it` : '';
    console.log(`${name} is removed${granted}.`);
  });
}

async function withStores(work: (stores: Stores) => Promise<void>): Promise<void> {
  const { database, close } = await openRows(loadConfig(process.env));
  try {
    await work({
      presets: createPresetStore(database, Date.now),
      accounts: createAccountStore(database, Date.now),
    });
  } finally {
    await close();
  }
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
      ? `${name} is built in: everyone has it, and it cannot be changed.`
      : `There is no preset ${name}; \`packshot presets list\` shows them all.`,
  );
}

async function readPresets(file: string): Promise<Preset[]> {
  let content: string;
  try {
    content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new PackshotError('invalid_field', `${file} cannot be read.`, { cause });
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

/** Ratios with the same lists share a paragraph. */
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
        `${sceneLists === 1 ? '1 list' : `${sceneLists} lists`} of scenes: ${listPresetStyles(preset).join(', ')}`,
      );
    const shown = lines.map((line) => `    ${line}`).join('\n') || '    nothing';
    ratiosOfText.set(shown, [...(ratiosOfText.get(shown) ?? []), ratio]);
  }
  for (const [shown, ratios] of ratiosOfText) console.log(`  ${ratios.join(' ')}\n${shown}`);
  for (const warning of warnings) console.log(`  warning: ${warning}`);
}

/** As a shell takes it. */
function asWord(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}

function collect(id: string, before: readonly string[] = []): readonly string[] {
  return [...before, id];
}
