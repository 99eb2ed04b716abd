/**
 * The checks of `packshot doctor`, in the order in which a starting service would encounter the problems that they
 * detect. They delete what they write to test the storage, and change nothing else.
 */
import 'packshot-cutout/no-telemetry';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { checkDatabase, checkDataFolder, checkDisk } from './disk.ts';
import { checkInstalledModels, checkModel, usesOnnx } from './models.ts';
import { checkEngines, checkExposure, checkPort } from './network.ts';
import { checkObjectStore } from './storage.ts';
import { type Finding, messageOf, ok, problem, type Verdict } from './verdict.ts';

// Libraries that may fail to load are loaded by the check that needs them, with a dynamic import or in a child process,
// so that the failure cannot stop the other checks.

type Check = (config: Config) => Promise<Verdict | readonly Verdict[]>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const GiB = 1024 ** 3;

const checks: readonly (readonly [name: string, check: Check])[] = [
  ['node', checkNode],
  ['libraries', checkLibraries],
  ['model', checkModel],
  ['models', checkInstalledModels],
  ['memory', checkMemory],
  ['data folder', checkDataFolder],
  ['disk', checkDisk],
  ['database', checkDatabase],
  ['object store', checkObjectStore],
  ['clock', checkClock],
  ['port', checkPort],
  ['exposure', checkExposure],
  ['engines', checkEngines],
];

export async function* findFaults(
  environment: Readonly<Record<string, string | undefined>>,
): AsyncIterable<Finding> {
  let config: Config;
  try {
    config = loadConfig(environment);
    yield { check: 'configuration', ...ok('valid') };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield {
      check: 'configuration',
      ...problem(
        error.message,
        'docs/configuration.md lists every variable. The remaining checks use the defaults.',
      ),
    };
    config = loadConfig({ DATA_DIR: environment.DATA_DIR });
  }
  for (const [check, look] of checks) {
    const verdicts = await look(config).catch((error: unknown) =>
      problem(`could not be checked: ${messageOf(error)}`, 'This is a bug in the doctor; please report it.'),
    );
    for (const verdict of [verdicts].flat()) yield { check, ...verdict };
  }
}

async function checkNode(): Promise<Verdict> {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 18)
    ? ok(node)
    : problem(`Node ${node} cannot run TypeScript`, 'Install Node 22.18 or newer.');
}

/** Loads each library in a child process: a binary for another CPU architecture crashes the process that loads it. */
async function checkLibraries({ cutout }: Config): Promise<readonly Verdict[]> {
  const tries: Record<string, string> = {
    'better-sqlite3': "new library(':memory:').prepare('select 1').get()",
    sharp:
      "await library({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).webp().toBuffer()",
    ...(usesOnnx(cutout) && { 'onnxruntime-node': 'library.InferenceSession.create.name' }),
  };
  return Promise.all(
    Object.entries(tries).map(async ([name, use]) => {
      const program = `const { default: library } = await import(${JSON.stringify(name)}); ${use};`;
      try {
        await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root, timeout: 60_000 });
        return ok(`${name} works`);
      } catch (error) {
        return problem(
          `${name} cannot be loaded: ${/^\w*Error(?: \[\w+\])?: (.+)$/m.exec(messageOf(error))?.[1] ?? 'it crashed'}`,
          'Run `npm ci` on this machine: node_modules of another system or processor does not work.',
        );
      }
    }),
  );
}

/**
 * Compares the machine's memory with what the service needs: its peak, measured with photos of 12 megapixels, plus
 * headroom (docs/configuration.md, REMOVAL_MEMORY).
 */
async function checkMemory({ role, cutout, rendering }: Config): Promise<Verdict> {
  const { engine } = cutout;
  // An api process holds no model.
  const engineGiB = role !== 'api' && 'memory' in engine ? (engine.memory === 'small' ? 1.2 : 1.6) : 0.4;
  const holder = role === 'api' ? 'an api process' : engine.engine;
  const needGiB = engineGiB + 0.2 * (rendering.workers - 1);
  // If the process has no memory limit, this is 0 or an implausibly large number.
  const limit = process.constrainedMemory();
  const haveGiB = Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem()) / GiB;
  const needs = `${holder} with ${rendering.workers} imaging processes needs about ${needGiB.toFixed(1)} GiB`;
  const facts = `${haveGiB.toFixed(1)} GiB of memory; ${needs}`;
  if (haveGiB >= needGiB) return ok(facts);
  return problem(
    facts,
    'Provide more memory, set REMOVAL_MEMORY=small, lower RENDER_WORKERS, or use REMOVAL_ENGINE=http.',
  );
}

/** Signed URIs, expiry and retention depend on the clock. A file dated in the future shows that the clock is slow. */
async function checkClock({ storage: { dataDir } }: Config): Promise<Verdict> {
  const written = await Promise.all(
    [join(root, 'package.json'), join(dataDir, 'packshot.db'), join(dataDir, 'packshot.db-wal')].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  const aheadMs = Math.max(...written) - Date.now();
  return aheadMs > 60_000
    ? problem(
        `a file of Packshot is dated ${Math.round(aheadMs / 1000)} s in the future, so the clock is slow`,
        'Set the clock, and keep it right with NTP.',
      )
    : ok(new Date().toISOString());
}
