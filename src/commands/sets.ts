/** `packshot sets`: checks a designer's set and draws it, and prints the schema of set files. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { readSetFile, SetFileError, sceneFileSchema } from 'packshot-sets';
import { z } from 'zod';
import { drawSetSheet } from '../illustrations/draw-set-sheet.ts';

interface Options {
  readonly out?: string;
  readonly sheet: boolean;
}

export function addSets(program: Command): void {
  const sets = program.command('sets').description('Check the sets and places that you write for SETS_DIR.');
  sets
    .command('check')
    .summary('Check a set, and draw it with every product that it is offered to.')
    .description(
      'Check a set or place: prints every field that is wrong and how to mend it, or draws a contact sheet with every kind of product that the set is offered to, in its own colors.',
    )
    .argument('<file>', 'a set or place, one JSON file')
    .option(
      '-o, --out <file>',
      'where to write the sheet; default: the name of the set with -sheet.png, here',
    )
    .option('--no-sheet', 'only check')
    .action(check);
  sets
    .command('schema')
    .description('Print the JSON schema of set files, for your editor.')
    .action(() => console.log(JSON.stringify(z.toJSONSchema(sceneFileSchema, { io: 'input' }), null, 2)));
}

async function check(path: string, { out, sheet }: Options): Promise<void> {
  try {
    const file = readSetFile(path);
    console.log(`${path}: fine, a ${file.kind} for ${file.offered.join(', ')}`);
    if (!sheet) return;
    const to = out ?? `${basename(path, '.json')}-sheet.png`;
    await writeFile(to, await drawSetSheet(file));
    console.log(`${to}: how it looks`);
  } catch (error) {
    if (!(error instanceof SetFileError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
