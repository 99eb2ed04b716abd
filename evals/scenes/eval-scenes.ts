/**
 * `npm run eval:scenes -- [--products DIR] [--size 512] [--seeds 1] [--only TEXT] [--keep DIR]
 * [--write]`: plans scenes as `suggest` does, renders them with and without the product, and checks the
 * criteria. Exits with an error if a must-criterion fails. `--only` selects scenes whose name contains the
 * text, `--keep` saves the pictures, `--write` writes the results to docs/scenes-quality.md.
 *
 * `--sheet FILE` instead renders one labeled scene per seed and product, for visual review; `--list ID` takes the
 * scenes from one list of suggestions, such as `places`.
 *
 * `--blind FOLDER` instead draws the pictures for a blind judgment, with cutouts of the best quality: five studio sets
 * and five real places for each product. A different `--seed` (any text) selects other scenes.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { cutProducts, type SampleProduct, samplesFolder } from '../../scripts/docs/sample-products.ts';
import type { Variant } from '../../src/recipes/catalogue.ts';
import { aiStudio } from '../../src/recipes/presets.ts';
import { parsePrompt } from '../../src/scenes/parse-prompt.ts';
import { planScenes, type SceneList } from '../../src/scenes/plan-scenes.ts';
import { detectKindByRules } from '../../src/scenes/product-kind.ts';
import { type PromptCase, promptCases } from '../../src/scenes/prompt/prompt-cases.ts';
import { hashSeed } from '../../src/scenes/seeded-random.ts';
import { drawBlindPictures } from './blind-pictures.ts';
import {
  criteria,
  describeVerdicts,
  type Findings,
  isAcceptable,
  judgeCases,
  type MeasuredCase,
  type Verdict,
} from './criteria.ts';
import { compareHashes, compareMeans } from './plate.ts';
import { scorePrompt } from './prompts.ts';
import { drawSheet } from './sheet.ts';
import { measureSoftness } from './softness.ts';
import type { MeasuredScene, SceneJob, WorkerSettings } from './worker.ts';

/** One sample photo for each staging (such as `upright-tall`) that occurs among the samples. */
const defaultProducts = [
  'perfume-marbletop',
  'mug-clutter',
  'waterbottle-hard',
  'headphones-paper',
  'eyeglasses-paper',
  'console-white',
  'plush-paper',
  'chair-room',
].map((name) => join(samplesFolder, `${name}.jpg`));
const ratios = ['1:1', '4:5', '9:16', '16:9'] as const satisfies readonly Variant[];
/** Each thread holds a scene of about 300 MB while rendering. */
const MAX_THREADS = 4;
/** Number of failures printed per criterion. */
const SHOWN_FAILURES = 8;

interface Case extends Omit<SceneJob, 'keepAs'> {
  readonly name: string;
  /** Scenes of one list are compared with each other. */
  readonly list: string;
  readonly prompt?: PromptCase;
}

const { values } = parseArgs({
  options: {
    products: { type: 'string' },
    size: { type: 'string', default: '512' },
    seeds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    keep: { type: 'string' },
    sheet: { type: 'string' },
    list: { type: 'string' },
    blind: { type: 'string' },
    seed: { type: 'string', default: 'a' },
    write: { type: 'boolean', default: false },
  },
});
const longEdgePx = Number(values.size);
const seeds = Number(values.seeds);
if (
  !Number.isInteger(longEdgePx) ||
  longEdgePx < 128 ||
  longEdgePx > 2000 ||
  !Number.isInteger(seeds) ||
  seeds < 1
) {
  console.error('--size is a whole number of pixels from 128 to 2000, --seeds a whole number from 1');
  process.exit(2);
}
const mode = values.blind === undefined ? 'fast' : 'quality';
const products = await cutProducts(await listPhotos(values.products), mode);
if (values.blind !== undefined)
  await drawBlindPictures(products, { folder: values.blind, ratios, seed: values.seed });
else if (values.sheet === undefined) await evaluate();
else {
  const cells = products.flatMap((product, column) =>
    Array.from({ length: seeds }, (_, row) => {
      const ratio = ratios[(row + column) % ratios.length]!;
      const scenes = planFor(product, ratio, row + 1)
        .filter(({ id }) => values.list === undefined || id === values.list)
        .flatMap((list) => list.scenes);
      const { plan, title } = scenes[(row + column) % scenes.length]!;
      return { product, plan, row, column, label: `${product.name} ${row + 1}: ${title}` };
    }),
  );
  await writeFile(values.sheet, await drawSheet(cells));
  console.log(`${values.sheet}: ${cells.length} scenes, one row per seed, one column per product`);
}

async function listPhotos(folder: string | undefined): Promise<readonly string[]> {
  if (folder === undefined) return defaultProducts;
  const names = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp|avif)$/i.test(name)).sort();
  if (names.length === 0) throw new Error(`${folder} holds no photos`);
  return names.map((name) => join(folder, name));
}

function planFor({ features }: SampleProduct, ratio: Variant, seed: number, prompt?: string): SceneList[] {
  const words = prompt === undefined ? undefined : parsePrompt(prompt);
  const product = detectKindByRules({ features });
  return planScenes({
    product,
    features,
    words,
    ratio,
    preset: aiStudio,
    seed: hashSeed(seed, prompt ?? ''),
  });
}

async function evaluate(): Promise<void> {
  const cases = [...planSuggestions(), ...planPrompts()].filter(({ name }) => name.includes(values.only));
  if (values.keep !== undefined) await mkdir(values.keep, { recursive: true });
  const scenes = await measureAll(cases);
  const measured = cases.map(({ name, prompt, plan }, index): MeasuredCase => {
    const { findings, wallColor } = scenes[index]!;
    return { name, findings: { ...findings, ...(prompt && scorePrompt(prompt, plan, wallColor)) } };
  });
  const verdicts = judgeCases([...measured, ...compareLists(cases, scenes), ...(await measureSoftness())]);
  const table = describeVerdicts(verdicts);
  console.log(`${table}\n\n${describeFailures(verdicts)}`);
  if (values.write) await writePage(table, cases.length);
  if (!isAcceptable(verdicts)) {
    console.error('A criterion in bold does not hold.');
    process.exitCode = 1;
  }
}

function planSuggestions(): Case[] {
  return products.flatMap((product, index) =>
    Array.from({ length: seeds }, (_, turn) => turn + 1).flatMap((seed) => {
      const ratio = ratios[(index + seed) % ratios.length]!;
      return planFor(product, ratio, seed).flatMap(({ title: heading, scenes }) =>
        scenes.map(
          ({ plan, title }, at): Case => ({
            plan,
            product: product.name,
            list: `${product.name} ${ratio} seed ${seed}, ${heading}`,
            name: `${product.name} ${ratio} seed ${seed}, ${heading} ${at + 1}: ${title} (${plan.composition})`,
          }),
        ),
      );
    }),
  );
}

/** Plans the first suggestion for each prompt; the products take turns. */
function planPrompts(): Case[] {
  return promptCases.map((prompt, index) => {
    const product = products[index % products.length]!;
    const lists = planFor(product, '1:1', 1, prompt.prompt);
    const plan = (lists.find(({ id }) => id === 'words') ?? lists[0]!).scenes[0]!.plan;
    const name = `${product.name} "${prompt.prompt}" (${plan.composition})`;
    return { plan, product: product.name, list: name, name, prompt };
  });
}

async function measureAll(jobs: readonly Case[]): Promise<MeasuredScene[]> {
  const results: MeasuredScene[] = [];
  const threads = Math.min(MAX_THREADS, availableParallelism(), jobs.length);
  let next = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const settings: WorkerSettings = { products, longEdgePx };
      const worker = new Worker(new URL('./worker.ts', import.meta.url), {
        workerData: settings,
      });
      try {
        while (next < jobs.length) {
          const index = next++;
          const { plan, product, name } = jobs[index]!;
          const keepAs =
            values.keep &&
            join(values.keep, `${index + 1} ${name.replace(/[^\w .-]+/g, '_').slice(0, 120)}.png`);
          results[index] = await ask(worker, { plan, product, keepAs });
          console.error(`${++done}/${jobs.length} ${name}`);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
  return results;
}

function ask(worker: Worker, job: SceneJob): Promise<MeasuredScene> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', (measured: MeasuredScene) => {
      worker.off('error', reject);
      resolve(measured);
    });
    worker.postMessage(job);
  });
}

/** Compares every pair of scenes in the same list. */
function compareLists(cases: readonly Case[], scenes: readonly MeasuredScene[]): MeasuredCase[] {
  return cases.flatMap((one, i) =>
    cases.flatMap((other, j): MeasuredCase[] => {
      if (j <= i || other.list !== one.list) return [];
      const [{ likeness: a }, { likeness: b }] = [scenes[i]!, scenes[j]!];
      const findings: Findings = {
        hashDistance: compareHashes(a, b),
        ...(one.plan.composition === other.plan.composition ? { meanDistance: compareMeans(a, b) } : {}),
      };
      return [{ name: `${one.name} and ${other.name.slice(one.list.length + 1)}`, findings }];
    }),
  );
}

function describeFailures(verdicts: readonly Verdict[]): string {
  const failing = verdicts.filter(({ failures }) => failures.length > 0);
  return failing
    .map(({ name, failures }) => {
      const { title, threshold, digits } = criteria[name];
      const lines = failures
        .slice(0, SHOWN_FAILURES)
        .map((failure) => `- ${failure.value.toFixed(digits)}: ${failure.name}`);
      const more = failures.length - lines.length;
      return [`${title}, ${threshold}:`, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
    })
    .join('\n\n');
}

async function writePage(table: string, count: number): Promise<void> {
  const command = ['npm run eval:scenes --', ...process.argv.slice(2)].join(' ');
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  const page = `# Quality of the studio scenes

Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}, on ${machine}.

${count} scenes at ${longEdgePx} px on the longer side: the suggestions for ${products.length} products with ${seeds} seed${seeds > 1 ? 's' : ''}, and the first suggestion
for each of ${promptCases.length} prompts, all drawn with and without the product. The command fails if a scene misses a criterion in bold.
A criterion counts only the scenes to which it applies. These numbers do not show whether a scene is beautiful;
to see that, draw a sheet of all scenes with \`--sheet FILE\`.

${table}
`;
  await writeFile(fileURLToPath(new URL('../../docs/scenes-quality.md', import.meta.url)), page);
}
