/** The command line: one line for each command; the only file, with the worker entries, that touches the process. */
import { Command, CommanderError } from 'commander';
import { addEngines } from './commands/engines.ts';
import { addKeys } from './commands/keys.ts';
import { addModels } from './commands/models.ts';
import { addPresets } from './commands/presets.ts';
import { addRecipes } from './commands/recipes.ts';
import { addRemove } from './commands/remove.ts';
import { addServe } from './commands/serve.ts';
import { ConfigError } from './config.ts';
import { PackshotError } from './errors.ts';
import { packageVersion } from './version.ts';

const program = new Command('packshot')
  .description('Product pictures from phone photos, on your own machine.')
  .version(packageVersion)
  .exitOverride();
for (const add of [addServe, addRemove, addRecipes, addModels, addEngines, addKeys, addPresets]) add(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof CommanderError) process.exitCode = error.exitCode;
  else if (error instanceof ConfigError) console.error(error.message);
  else if (error instanceof PackshotError) console.error(`${error.code}: ${error.message}`);
  else throw error;
}
