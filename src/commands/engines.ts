/** `packshot engines`: shows the configured engines, and tests them end to end with a sample product. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { type App, buildApp } from '../app.ts';
import { type Config, loadConfig } from '../config.ts';
import { type ErrorCode, PackshotError } from '../errors.ts';
import { randomBase62 } from '../ids.ts';

const samplePhoto = fileURLToPath(new URL('../../samples/perfume-marbletop.jpg', import.meta.url));
/** Long, because slow engines are tested too. */
const patienceMs = 900_000;

interface CheckOptions {
  readonly photo: string;
  readonly prompt?: string;
  readonly out: string;
}

export function addEngines(program: Command): void {
  const engines = program
    .command('engines')
    .description('Show and test the engines that remove backgrounds and make scenes.');

  engines
    .command('list')
    .description('Show the configured engines.')
    .action(() => {
      const { cutout, scenes } = loadConfig(process.env);
      console.log(`removal: ${cutout.engine.engine}`);
      console.log(`scenes:  ${scenes.painting.engine?.engine ?? 'studio'}`);
    });

  engines
    .command('check')
    .description(
      'Test the engines: upload a photo, get scene suggestions, render one, and print the time of each step.',
    )
    .option('--photo <file>', 'photo of a product', samplePhoto)
    .option('--prompt <text>', 'describe the scene')
    .option('-o, --out <file>', 'output file', 'engines-check.jpg')
    .action(check);
}

type Call = ReturnType<typeof caller>;

async function check(options: CheckOptions): Promise<void> {
  const configured = loadConfig(process.env);
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-check-'));
  try {
    const key = `check_${randomBase62(24)}`;
    const app = await timed(`removal engine ${configured.cutout.engine.engine}: opened`, () =>
      openWarm(forChecking(configured, dataDir, key)),
    );
    try {
      const engine = configured.scenes.painting.engine?.engine ?? 'studio';
      await makeScene(caller(await app.listen(), key), engine, options);
    } finally {
      await app.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function openWarm(config: Config): Promise<App> {
  const app = await buildApp(config);
  try {
    await app.ready;
    return app;
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function makeScene(call: Call, engine: string, { photo, prompt, out }: CheckOptions): Promise<void> {
  const design = await timed(`${basename(photo)}: cut out`, async () => {
    const form = new FormData();
    form.append('file', new Blob([await readFile(photo)]), basename(photo));
    const { id } = await json(call('/v1/design/image-upload', form));
    return json(call(`/v1/design/${id}?wait=true`));
  });
  if (design.status !== 'ready') throw new PackshotError(design.error.code, design.error.detail);
  console.log(
    `  ${design.productKind?.kind ?? 'unknown kind'}, confidence ${design.subject.confidence.toFixed(2)}`,
  );
  const { suggestedRecipeLists } = await timed('scenes: suggested', () =>
    json(call('/v1/design/suggest', { id: design.id, recipePreset: 'AI_STUDIO', prompt })),
  );
  const { recipeId, variant, mutations, title } = suggestedRecipeLists[0].recipes[0];
  const picture = await timed(`scene engine ${engine}: "${title}"`, () =>
    call('/v1/design/generated.jpeg', { id: design.id, recipeId, variant, mutations }),
  );
  const warning = picture.headers.get('warning');
  await writeFile(out, Buffer.from(await picture.arrayBuffer()));
  console.log(`picture: ${resolve(out)}`);
  if (warning !== null) {
    console.log(`NOT by ${engine}: ${warning}`);
    process.exitCode = 1;
  }
}

/** Adapts the configuration to a check: temporary data folder, long time limits, and no painting in advance. */
function forChecking(config: Config, dataDir: string, bootstrapApiKey: string): Config {
  return {
    ...config,
    server: { ...config.server, host: '127.0.0.1', port: 0, publicUrl: undefined, logLevel: 'warn' },
    storage: { ...config.storage, dataDir },
    monitoring: { ...config.monitoring, metrics: undefined },
    accounts: { ...config.accounts, bootstrapApiKey },
    scenes: {
      ...config.scenes,
      drawAhead: 'off',
      painting: { ...config.scenes.painting, when: 'chosen', patienceMs },
    },
    rendering: { ...config.rendering, deadlineMs: { preview: patienceMs, generated: patienceMs * 2 } },
  };
}

function caller(baseUrl: string, key: string) {
  return async (path: string, body?: object): Promise<Response> => {
    const response = await fetch(baseUrl + path, {
      headers: { 'x-api-key': key },
      ...(body && { method: 'POST', body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const problem = (await response.json()) as { code: ErrorCode; detail: string };
    throw new PackshotError(problem.code, problem.detail);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: our own responses, whose shapes the API schemas ensure.
const json = async (answer: Promise<Response>): Promise<any> => (await answer).json();

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}
