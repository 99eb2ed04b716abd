/** Shell completion: commands, options and their values, read from the Commander program. */
import type { Argument, Command, Option } from 'commander';

export interface Offer {
  readonly value: string;
  readonly description?: string | undefined;
}

export interface Offers {
  readonly offers: readonly Offer[];
  /** Whether to complete file names as well. */
  readonly files: boolean;
}

/** Completions of values that are not declared as choices, by placeholder: `recipe` for `--recipe <recipe>`. */
export type ValueSources = Readonly<
  Record<string, (typed: string) => readonly string[] | Promise<readonly string[]>>
>;

/** Placeholders of options and arguments that name files or folders. */
const onDisk = /<(file|folder|dir|where|path|from|photo)(\.\.\.)?>/;

const takesValue = (option: Option | undefined): option is Option =>
  option !== undefined && (option.required || option.optional);

/** `words` follow `packshot`; the last one is being typed and may be empty. */
export async function findOffers(
  program: Command,
  words: readonly string[],
  sources: ValueSources,
): Promise<Offers> {
  const typed = words.at(-1) ?? '';
  let command = program;
  let args = 0;
  let pending: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (takesValue(pending)) {
      pending = undefined;
    } else if (word.startsWith('-') && word !== '-') {
      pending = command.options.find(({ short, long }) => word === short || word === long);
    } else {
      const sub = command.commands.find((one) => one.name() === word);
      if (sub) command = sub;
      else args++;
    }
  }
  const all = await (takesValue(pending)
    ? valuesOf(pending, pending.flags, typed, sources)
    : typed.startsWith('-')
      ? { offers: optionsOf(command), files: false }
      : nextWords(command, args, typed, sources));
  return { ...all, offers: all.offers.filter(({ value }) => value.startsWith(typed)) };
}

function optionsOf(command: Command): Offer[] {
  const options = command.createHelp().visibleOptions(command);
  return options.flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
}

async function nextWords(
  command: Command,
  args: number,
  typed: string,
  sources: ValueSources,
): Promise<Offers> {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.summary() || one.description() }));
  const { registeredArguments } = command;
  const argument = registeredArguments[args] ?? registeredArguments.findLast(({ variadic }) => variadic);
  if (!argument) return { offers: commands, files: false };
  const { offers, files } = await valuesOf(argument, `<${argument.name()}>`, typed, sources);
  return { offers: [...commands, ...offers], files };
}

async function valuesOf(
  { argChoices }: Option | Argument,
  flags: string,
  typed: string,
  sources: ValueSources,
): Promise<Offers> {
  const placeholder = /<(\w+)/.exec(flags)?.[1] ?? '';
  const values = argChoices ?? (await sources[placeholder]?.(typed)) ?? [];
  return {
    offers: values.map((value) => ({ value })),
    files: argChoices === undefined && onDisk.test(flags),
  };
}
