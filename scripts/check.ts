/**
 * `npm run check`: format, lint, types, dependencies, boundaries, house rules, links and generated documents; runs all
 * checks, then reports.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

const failed = checks.filter(([name, command, input]) => {
  console.log(`\n# ${name}`);
  return spawnSync(command, input, { cwd: root, stdio: 'inherit' }).status !== 0;
});
console.log(
  failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.map(([name]) => name).join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
