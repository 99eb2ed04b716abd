/**
 * `npm run check`: format, lint, types, dependencies, boundaries, house rules, links and generated documents; runs all
 * checks, then reports. Runs as many checks at once as there are cores, because most checks use only one core.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';

const root = fileURLToPath(new URL('../', import.meta.url));
const tool = (name: string) => join(root, 'node_modules', '.bin', name);

const checks: readonly (readonly [string, string, readonly string[]])[] = [
  ['format and lint', tool('biome'), ['check', '--error-on-warnings']],
  ['types', tool('tsc'), ['--project', '.']],
  ['types of the page', tool('tsc'), ['--project', 'web']],
  ['types of the client', tool('tsc'), ['--project', 'clients/typescript', '--noEmit']],
  ['dependencies', process.execPath, ['scripts/check/audit.ts', '--offline']],
  ['boundaries', process.execPath, ['scripts/check/boundaries.ts']],
  ['house rules', process.execPath, ['scripts/check/house-rules.ts']],
  ['links', process.execPath, ['scripts/check/links.ts']],
  ['generated documents', process.execPath, ['scripts/docs.ts', '--check']],
  ['client types', process.execPath, ['scripts/docs/client-types.ts', '--check']],
];

const runCheck = async ([name, command, input]: (typeof checks)[number]): Promise<string[]> => {
  const child = spawn(command, input, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false)).on('close', (code) => resolve(code === 0));
  });
  const [out, err, passed] = await Promise.all([text(child.stdout), text(child.stderr), status]);
  process.stdout.write(`\n# ${name}\n${out}${err}`);
  return passed ? [] : [name];
};
const queue = new PQueue({ concurrency: availableParallelism() });
const failed = (await queue.addAll(checks.map((check) => () => runCheck(check)))).flat();
console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
