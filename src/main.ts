/** The command line: one line per command. With the worker entries, the only file that touches the process. */
import { Command, CommanderError } from 'commander';
import { addBatch } from './commands/batch.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completions.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEngines } from './commands/engines.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addMcp } from './commands/mcp.ts';
import { addMigrate } from './commands/migrate.ts';
import { addModels } from './commands/models.ts';
import { addPresets } from './commands/presets.ts';
import { addRecipes } from './commands/recipes.ts';
import { addRemove } from './commands/remove.ts';
import { addScene } from './commands/scene.ts';
import { addSecrets } from './commands/secrets.ts';
import { addServe } from './commands/serve.ts';
import { addSweep } from './commands/sweep.ts';
import { addUsage } from './commands/usage.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { ConfigError } from './config/setting.ts';
import { PackshotError } from './errors.ts';
import { packageVersion } from './version.ts';

const examples = `
Examples:
  packshot serve                                             start the service on http://127.0.0.1:8080
  packshot remove mug.jpg mug.png                            remove the background of one photo
  packshot remove photos/ -o out/ --recipe Solid1_1_0035     a folder of photos, on white
  packshot scene mug.jpg --prompt "oak table, morning light"
  packshot help remove                                       options and examples of a command`;

const program = new Command('packshot')
  .description('Product pictures from phone photos, on your own machine.')
  .version(packageVersion)
  .addHelpText('after', examples)
  .exitOverride();
for (const add of [
  addServe,
  addRemove,
  addScene,
  addBatch,
  addCheck,
  addMcp,
  addRecipes,
  addModels,
  addEngines,
  addKeys,
  addPresets,
  addUsage,
  addWebhooks,
  addJobs,
  addSecrets,
  addSweep,
  addMigrate,
  addExport,
  addImport,
  addDoctor,
  addCompletion,
])
  add(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = 1;
  // 2 for an invalid command line, as most tools do; commander uses 1.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode !== 0 && error.code.startsWith('commander.') ? 2 : error.exitCode;
  else if (error instanceof ConfigError) console.error(error.message);
  else if (error instanceof PackshotError) {
    console.error(`${error.code}: ${error.message}`);
    // Connections and children of a service that failed to start would keep the process alive.
    process.exit();
  } else throw error;
}
