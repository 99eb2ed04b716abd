import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto, white } from './service.ts';

/** Stands in for the loader of a tracing library such as OpenTelemetry: records the modules that each process loads. */
const loader = `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(new URL('./loaded', import.meta.url), process.pid + ' ' + url + '\\n');
    return next(url, context);
  },
});
`;

let folder: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-tracing-'));
  await writeFile(join(folder, 'loader.mjs'), loader);
});
afterEach(async () => {
  if (running) await endProcess(running.child, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Returns the modules that each process has loaded after a cutout and a render. */
async function load(
  environment: Record<string, string>,
  through: readonly string[] = [],
): Promise<Map<string, string[]>> {
  running = await spawnService(join(folder, 'data'), environment, through);
  const json = { id: await running.upload(await cratePhoto()), ...white };
  expect((await running.call('/v1/design/preview.webp', { json })).status).toBe(200);
  const lines = (await readFile(join(folder, 'loaded'), 'utf8')).trimEnd().split('\n');
  const pairs = lines.map((line) => line.split(' ', 2) as [string, string]);
  return new Map(
    [...new Set(pairs.map(([pid]) => pid))].map((one) => [
      one,
      pairs.filter(([pid]) => pid === one).map(([, url]) => url),
    ]),
  );
}

const holds = (urls: Iterable<string[]>, file: string) => [...urls].flat().some((url) => url.endsWith(file));

it('NODE_OPTIONS reaches the service and its child processes, and no tracing library loads by default', async () => {
  const loaded = await load({ NODE_OPTIONS: `--import ${join(folder, 'loader.mjs')}` });
  for (const file of ['/src/main.ts', '/src/workers/imaging-worker.ts', '/src/workers/cutout-worker.ts'])
    expect(holds(loaded.values(), file)).toBe(true);
  expect(loaded.size).toBeGreaterThanOrEqual(3);
  // The metrics library loads OpenTelemetry's API package, which does and sends nothing by itself.
  const tracers = [...loaded.values()].flat().filter((url) => /opentelemetry\/(?!api\/)/i.test(url));
  expect(tracers).toEqual([]);
});

it('an --import on the command line applies to the service only, not to its children', async () => {
  const start = `node=$1; shift; exec "$node" --import ${join(folder, 'loader.mjs')} "$@"`;
  const loaded = await load({}, ['sh', '-c', start, 'sh']);
  expect([...loaded.keys()]).toEqual([String(running!.child.pid)]);
  expect(holds(loaded.values(), '/src/main.ts')).toBe(true);
});
