import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { findOffers } from './find-offers.ts';

const program = new Command('packshot');
program
  .command('remove')
  .summary('Remove backgrounds.')
  .argument('<photo...>')
  .option('-o, --out <where>')
  .option('--recipe <recipe>')
  .option('-q, --quiet')
  .addOption(new Option('--format <format>').choices(['png', 'jpg']))
  .addOption(new Option('--variant <ratio>').hideHelp());
program.command('recipes');
program.command('__complete', { hidden: true });
const keys = program.command('keys');
keys.command('revoke').argument('<key>');
program.command('completion').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));

const sources = { recipe: () => ['Transp001', 'Solid1_1_0035'], key: async () => ['shop', 'key_1'] };
async function offers(...words: string[]) {
  const { offers: found, files } = await findOffers(program, words, sources);
  return [...found.map(({ value }) => value), ...(files ? ['FILES'] : [])];
}

describe('completions', () => {
  it('include commands and subcommands, but no hidden ones', async () => {
    expect(await offers('re')).toEqual(['remove', 'recipes']);
    expect(await offers('__')).toEqual([]);
    expect(await offers('keys', 'rev')).toEqual(['revoke']);
    expect((await findOffers(program, ['rem'], sources)).offers).toEqual([
      { value: 'remove', description: 'Remove backgrounds.' },
    ]);
  });

  it('include the options of the command, but no hidden ones', async () => {
    expect(await offers('remove', 'a.jpg', '--')).toEqual([
      '--out',
      '--recipe',
      '--quiet',
      '--format',
      '--help',
    ]);
  });

  it('include the values of an option, also after its short flag', async () => {
    expect(await offers('remove', '--format', '')).toEqual(['png', 'jpg']);
    expect(await offers('remove', '--recipe', 'Tra')).toEqual(['Transp001']);
    expect(await offers('remove', '-o', '')).toEqual(['FILES']);
    expect(await offers('remove', '-q', '')).toEqual(['FILES']);
  });

  it('include the values of an argument, and do not mistake an option’s value for a command', async () => {
    expect(await offers('completion', '')).toEqual(['bash', 'zsh']);
    expect(await offers('keys', 'revoke', 's')).toEqual(['shop']);
    expect(await offers('remove', '--recipe', 'recipes', '--format', 'p')).toEqual(['png']);
    expect(await offers('remove', 'a.jpg', '-', '')).toEqual(['FILES']);
  });
});
