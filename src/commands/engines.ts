/** `packshot engines`: shows the configured engines, and tests them end to end with a sample product. */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { aiStudio } from '../recipes/presets.ts';
import { explainFailure } from './photo-run/run-files.ts';
import { openOwnService } from './shared/own-service.ts';
import type { Service } from './shared/service-client.ts';

const samplePhoto = fileURLToPath(new URL('../../samples/perfume-marbletop.jpg', import.meta.url));

interface CheckOptions {
  readonly photo: string;
  readonly prompt?: string | undefined;
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
      console.log(`scenes:  ${scenes.painting.engine.engine}`);
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

async function check({ photo, prompt, out }: CheckOptions): Promise<void> {
  const config = loadConfig(process.env);
  const engine = config.scenes.painting.engine.engine;
  const service = await timed(`removal engine ${config.cutout.engine.engine}: opened`, () =>
    openOwnService(config, { logLevel: 'warn' }),
  );
  try {
    await makeScene(service, engine, { photo, prompt, out });
  } catch (error) {
    const { code, detail } = explainFailure(error);
    console.error(`${code}: ${detail}`);
    process.exitCode = 1;
  } finally {
    await service.close();
  }
}

async function makeScene({ client }: Service, engine: string, { photo, prompt, out }: CheckOptions) {
  const { id, productKind, subject } = await timed(`${basename(photo)}: cut out`, async () => {
    const uploaded = await client.upload(await openAsBlob(photo), { name: basename(photo) });
    return client.waitForCutout(uploaded.id);
  });
  console.log(`  ${productKind?.kind ?? 'unknown kind'}, confidence ${subject.confidence.toFixed(2)}`);
  const { suggestedRecipeLists } = await timed('scenes: suggested', () =>
    client.suggest({ id, recipePreset: aiStudio.name, prompt }),
  );
  const { title, ...recipe } = suggestedRecipeLists[0]!.recipes[0]!;
  const picture = await timed(`scene engine ${engine}: "${title}"`, () =>
    client.generate({ id, ...recipe }, { format: 'jpeg' }),
  );
  await writeFile(out, Buffer.from(await picture.arrayBuffer()));
  console.log(`picture: ${resolve(out)}`);
  for (const { code, detail } of picture.warnings) {
    console.log(`The picture was NOT made by ${engine}: ${code}: ${detail}`);
    process.exitCode = 1;
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}
