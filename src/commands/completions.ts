/** `packshot completion`: what a shell offers at a tab, written out from the program's own commands. */
import { type Command, Option } from 'commander';

/** One command, with all that may follow it. */
interface Place {
  /** Words that lead to it: empty for the program, `keys create`. */
  readonly path: string;
  readonly commands: readonly Offer[];
  readonly options: readonly Offer[];
  /** Options that take a word: what it may be. */
  readonly values: readonly {
    readonly flags: readonly string[];
    readonly choices: readonly string[] | 'files';
  }[];
}

interface Offer {
  readonly name: string;
  /** An option's single letter. */
  readonly letter?: string | undefined;
  readonly says: string;
}

/** Names of arguments and of options' values that stand for something on disk. */
const onDisk = /<(file|folder|dir|where|path)>/;

const shells = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const;

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .summary('Print what makes your shell complete packshot.')
    .description('Print the completions for a shell.')
    .argument('<shell>', Object.keys(shells).join(', '))
    .addHelpText(
      'after',
      `
Examples:
  source <(packshot completion bash)                              in ~/.bashrc
  source <(packshot completion zsh)                               in ~/.zshrc, below compinit
  packshot completion fish > ~/.config/fish/completions/packshot.fish`,
    )
    .action((name: string, _options, command: Command) => {
      const write = Object.entries(shells).find(([shell]) => shell === name)?.[1];
      if (!write)
        return command.error(`error: shells are ${Object.keys(shells).join(', ')}`, { exitCode: 2 });
      process.stdout.write(write(listPlaces(program, '')));
    });
}

function listPlaces(command: Command, path: string): Place[] {
  const { options, commands } = command;
  const all = [...options, new Option('-h, --help', 'display help')];
  const here: Place = {
    path,
    commands: commands.map((one) => ({ name: one.name(), says: one.summary() || one.description() })),
    options: all.map(({ long, short, description }) => ({
      name: long!,
      letter: short?.slice(1),
      says: description,
    })),
    values: options
      .filter(({ required, optional }) => required || optional)
      .map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined),
        choices: option.argChoices ?? (onDisk.test(option.flags) ? 'files' : []),
      })),
  };
  return [here, ...commands.flatMap((one) => listPlaces(one, `${path} ${one.name()}`.trim()))];
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** Patterns of a `case`, for what stands before the word at the cursor. */
const patterns = ({ path }: Place, flags: readonly string[]): string =>
  flags.map((flag) => quote(`${path} ${flag}`)).join('|');
const namesOf = (offers: readonly Offer[]): string => offers.map(({ name }) => name).join(' ');
const pathsOf = (places: readonly Place[]): string =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path))
    .join('|');

function writeBash(places: readonly Place[]): string {
  const values = places.flatMap((place) =>
    place.values.map(({ flags, choices }) => {
      const offer =
        choices === 'files' ? '' : `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur")); `;
      return `    ${patterns(place, flags)}) ${offer}return ;;`;
    }),
  );
  const words = places.map(
    ({ path, commands, options }) =>
      `    ${quote(path)}) commands=${quote(namesOf(commands))}; options=${quote(namesOf(options))} ;;`,
  );
  return `# packshot in bash. Where nothing is offered, files are.
_packshot() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= word commands options
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${pathsOf(places)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then commands=$options; fi
  COMPREPLY=($(compgen -W "$commands" -- "$cur"))
}
complete -o bashdefault -o default -F _packshot packshot
`;
}

function writeZsh(places: readonly Place[]): string {
  const entries = (offers: readonly Offer[]): string =>
    offers.map(({ name, says }) => quote(`${name}:${says.replaceAll(':', '\\:')}`)).join(' ');
  const values = places.flatMap((place) =>
    place.values.map(({ flags, choices }) => {
      const offer =
        choices === 'files' ? '_files; ' : choices.length > 0 ? `compadd -- ${choices.join(' ')}; ` : '';
      return `    (${patterns(place, flags)}) ${offer}return ;;`;
    }),
  );
  const words = places.map(
    ({ path, commands, options }) =>
      `    (${quote(path)}) commands=(${entries(commands)}); options=(${entries(options)}) ;;`,
  );
  return `#compdef packshot
_packshot() {
  local place= word
  local -a commands options
  for word in \${words[2,CURRENT-1]}; do
    case "\${place:+$place }$word" in
      (${pathsOf(places)}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$place" in
${words.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _packshot ]]; then _packshot "$@"; else compdef _packshot packshot; fi
`;
}

function writeFish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const at = `complete -c packshot -n ${quote(`__packshot_at ${quote(path)}`)}`;
    return [
      ...commands.map(({ name, says }) => `${at} -f -a ${name} -d ${quote(says)}`),
      ...options.map(({ name, letter, says }) => {
        const { choices } = values.find(({ flags }) => flags.includes(name)) ?? {};
        const takes =
          choices === undefined ? '' : choices === 'files' ? ' -rF' : ` -x -a ${quote(choices.join(' '))}`;
        const short = letter === undefined ? '' : ` -s ${letter}`;
        return `${at} -l ${name.slice(2)}${short}${takes} -d ${quote(says)}`;
      }),
    ];
  });
  return `# packshot in fish
function __packshot_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch (string trim -- "$place $word")
      case ${pathsOf(places).replaceAll('|', ' ')}
        set place (string trim -- "$place $word")
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}
