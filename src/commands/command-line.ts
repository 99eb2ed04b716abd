/** The command line: loads the named command, or all commands for the general help, and runs it. */
import { Command, CommanderError } from 'commander';
import { PackshotError } from 'packshot-errors';
import { PackshotError as ServiceError } from '../../clients/typescript/src/packshot-error.ts';
import { ConfigError } from '../config/setting.ts';
import { packageVersion } from '../version.ts';

const examples = `
Examples:
  packshot serve                                             start the service on http://127.0.0.1:8080
  packshot remove mug.jpg mug.png                            remove the background of one photo
  packshot remove photos/ -o out/ --recipe Solid1_1_0035     a folder of photos, on white
  packshot scene mug.jpg --prompt "oak table, morning light"
  packshot help remove                                       options and examples of a command`;

/** The commands, in the order of `--help`. Only the named command's file is loaded, which saves most of a second. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  serve: async () => (await import('./serve.ts')).addServe,
  remove: async () => (await import('./remove.ts')).addRemove,
  scene: async () => (await import('./scene.ts')).addScene,
  batch: async () => (await import('./batch.ts')).addBatch,
  delete: async () => (await import('./delete.ts')).addDelete,
  check: async () => (await import('./check.ts')).addCheck,
  mcp: async () => (await import('./mcp.ts')).addMcp,
  recipes: async () => (await import('./recipes.ts')).addRecipes,
  models: async () => (await import('./models.ts')).addModels,
  engines: async () => (await import('./engines.ts')).addEngines,
  keys: async () => (await import('./keys.ts')).addKeys,
  sets: async () => (await import('./sets.ts')).addSets,
  presets: async () => (await import('./presets.ts')).addPresets,
  usage: async () => (await import('./usage.ts')).addUsage,
  webhooks: async () => (await import('./webhooks.ts')).addWebhooks,
  jobs: async () => (await import('./jobs.ts')).addJobs,
  secrets: async () => (await import('./secrets.ts')).addSecrets,
  sweep: async () => (await import('./sweep.ts')).addSweep,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  export: async () => (await import('./export.ts')).addExport,
  import: async () => (await import('./import.ts')).addImport,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  'find-clients': async () => (await import('./find-clients.ts')).addFindClients,
  completion: async () => (await import('./completions.ts')).addCompletion,
};

/** Runs one command; sets `process.exitCode`. `words`: the arguments after the program's name. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = new Command('packshot')
    .description('Product pictures from phone photos, on your own machine.')
    .version(packageVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'Print the help of a command.')
    .addHelpText('after', examples)
    .exitOverride();
  const named = words[0] ?? '';
  const loads = Object.hasOwn(commands, named) ? [commands[named]!] : Object.values(commands);
  for (const add of await Promise.all(loads.map((load) => load()))) add(program);

  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = 1;
    // 2 for an invalid command line, as most tools do; commander uses 1.
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode !== 0 && error.code.startsWith('commander.') ? 2 : error.exitCode;
    else if (error instanceof ConfigError) console.error(error.message);
    else if (error instanceof PackshotError || error instanceof ServiceError) {
      console.error(`${error.code}: ${error.message}`);
      // Open connections and child processes of a service that failed to start would keep this process alive.
      process.exit();
    } else throw error;
  }
}
