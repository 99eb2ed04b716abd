/** `packshot completion`: shell scripts that ask the program itself for completions on Tab. */
import { Argument, type Command } from 'commander';
import { listedModels, listInstalledNames } from 'packshot-cutout/models';
import { createAccountStore } from '../accounts/account-store.ts';
import { createPresetStore } from '../accounts/preset-store.ts';
import { loadConfig } from '../config.ts';
import { listRecipes } from '../recipes/catalogue.ts';
import { aiStudio } from '../recipes/presets.ts';
import { type Database, inspectDatabase, withDatabase } from '../storage/database.ts';
import { findOffers, type ValueSources } from './shared/find-offers.ts';

const asking = '__complete';

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print shell completions for bash, zsh or fish.')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
Examples:
  source <(packshot completion bash)                              in ~/.bashrc
  source <(packshot completion zsh)                               in ~/.zshrc, below compinit
  packshot completion fish > ~/.config/fish/completions/packshot.fish`,
    )
    .action((shell: keyof typeof scripts) => void process.stdout.write(scripts[shell]));

  program
    .command(asking, { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { offers, files } = await findOffers(program, words, sources);
      // Offers are one per line, so only the first line of a description is printed.
      for (const { value, description } of offers)
        console.log(description ? `${value}\t${description.split('\n')[0]}` : value);
      if (files) console.log(':files');
    });
}

const listPresets = () =>
  readRows(async (database) =>
    (await createPresetStore(database, Date.now).listPresets()).map(({ name }) => name),
  );

/** Offers nothing if the database is missing or outdated, because opening it would create or migrate it. */
async function readRows(read: (database: Database) => Promise<string[]>): Promise<string[]> {
  try {
    const config = loadConfig(process.env).storage.database;
    if ((await inspectDatabase(config))?.pendingMigrations.length !== 0) return [];
    return await withDatabase(config, ({ database }) => read(database));
  } catch {
    return [];
  }
}

const sources: ValueSources = {
  // 540 of the recipes are solids. Of these, only the white ones are offered until the user types `Solid`.
  recipe: (typed) =>
    listRecipes()
      .map(({ id }) => id)
      .filter((id) => typed.startsWith('Solid') || !id.startsWith('Solid') || id.endsWith('_0035')),
  preset: async () => [aiStudio.name, ...(await listPresets())],
  key: () =>
    readRows(async (database) => {
      const keys = (await createAccountStore(database, Date.now).listKeys()).filter((key) => !key.revokedAt);
      const names = keys.map(({ name }) => name).filter((name) => /^[\w.-]+$/.test(name));
      return [...new Set(names), ...keys.map(({ id }) => id)];
    }),
  from: () => listedModels.map(({ name }) => name),
  model: async () => {
    const { REMOVAL_ENGINE: _, REMOVAL_MODEL: _model, ...environment } = process.env;
    return ['isnet', ...(await listInstalledNames(loadConfig(environment).cutout.modelsDir).catch(() => []))];
  },
};

/**
 * Each script passes the words up to the cursor to the program, and reads its answer: lines of `value<tab>description`,
 * and `:files` if file names are to be completed, too.
 */
const scripts = {
  // Bash splits words at a colon, as in 4:5. So the script reads words from the line, and removes the part before
  // the colon from offers.
  bash: `# packshot in bash
_packshot() {
  local line=\${COMP_LINE:0:COMP_POINT} words offer files= current
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS= read -r offer; do
    if [[ $offer == :files ]]; then files=1; continue; fi
    offer=\${offer%%$'\\t'*}
    [[ $current == *:* ]] && offer=\${offer#"\${current%"\${current##*:}"}"}
    COMPREPLY+=("$offer")
  done < <("\${words[0]}" ${asking} -- "\${words[@]:1}" 2>/dev/null)
  if [[ -n $files ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _packshot packshot
`,
  zsh: `#compdef packshot
_packshot() {
  local offer files=
  local -a offers
  for offer in \${(f)"$("\${words[1]}" ${asking} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    if [[ $offer == :files ]]; then files=1; continue; fi
    offers+=("\${\${offer//:/\\\\:}/$'\\t'/:}")
  done
  (( $#offers )) && _describe packshot offers
  [[ -n $files ]] && _files
}
if [[ \${funcstack[1]} == _packshot ]]; then _packshot "$@"; else compdef _packshot packshot; fi
`,
  fish: `# packshot in fish
function __packshot_offers
  set -l words (commandline -opc)
  for offer in ($words[1] ${asking} -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test "$offer" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $offer
    end
  end
end
complete -c packshot -f -a '(__packshot_offers)'
`,
} as const;
