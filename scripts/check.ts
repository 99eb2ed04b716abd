/**
 * `npm run check`: format, lint, types, dependencies, imports between rooms, dead code, links, mentions of files, length
 * and dates of pages, and generated documents; runs all checks, then reports. Runs as many checks at once as there are
 * cores, because most checks use only one core.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PQueue from 'p-queue';

const root = fileURLToPath(new URL('../', import.meta.url));

const pages = ['*.md', 'docs', 'clients', 'packages', 'deploy', 'evals', 'lab', 'samples', 'test'];

/** npm puts the tools in `PATH`. */
const checks: readonly (readonly [string, string, readonly string[]])[] = [
  ['format and lint', 'biome', ['check', '--error-on-warnings']],
  ['types', 'tsc', ['--project', '.', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types']],
  ['types of the page', 'tsc', ['--project', 'web']],
  ['types of the client', 'tsc', ['--project', 'clients/typescript', '--noEmit']],
  ['dependencies', process.execPath, ['scripts/check/audit.ts', '--offline']],
  ['imports', 'depcruise', ['--cache', 'node_modules/.cache/dependency-cruiser', 'src', 'packages']],
  ['dead code', 'knip', ['--no-progress', '--cache']],
  ['links', 'remark', ['--frail', '--quiet', '--no-stdout', ...pages]],
  ['mentions of files', process.execPath, ['scripts/check/mentions.ts']],
  ['length and dates of pages', process.execPath, ['scripts/check/pages.ts']],
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
