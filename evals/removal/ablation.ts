/**
 * `node evals/removal/ablation.ts [DIR …] [--passes FOLDER]`: leaves out each part of the cutout in turn, scores the
 * cutouts of the pooled rendered photos, and writes lab/ablation.md. A part is kept only if, without it, a figure is
 * worse by more than its 90 % interval, and at least three products are worse.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openIsnet } from '../../packages/cutout/src/engines/isnet.ts';
import type { RoughMatte } from '../../packages/cutout/src/passes/choose-passes.ts';
import { createPassPace } from '../../packages/cutout/src/passes/pass-pace.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { readImage } from '../../packages/photos/src/read-image.ts';
import { StepClock } from '../../packages/pixels/src/step-clock.ts';
import { describeAblation } from './ablation-table.ts';
import { loadWithout, registerVariants, variants } from './ablation-variants.ts';
import { type ScoredPhoto, toScored } from './compare-rows.ts';
import { rememberPasses } from './remembered-passes.ts';
import {
  defaultFolders,
  type Item,
  limits,
  listItems,
  type Made,
  readTruth,
  scoreMade,
} from './score-photos.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { passes: { type: 'string', default: 'data/passes' } },
});
registerVariants();
const opened = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
// Results are known by their pixels, because the names of passes do not say what a change has done to the pictures.
const engine = await rememberPasses(opened, values.passes);
const { signal } = new AbortController();
const program = await loadWithout('');
const parts = await Promise.all(
  [...variants].map(async ([name, change]) => ({ name, ...change, program: await loadWithout(name) })),
);
type Program = typeof program;
const whole: ScoredPhoto[] = [];
const without = new Map(parts.map(({ name }): [string, ScoredPhoto[]] => [name, []]));
for (const item of await listItems(positionals.length > 0 ? positionals : defaultFolders)) {
  if (item.group !== 'rendered') continue;
  await scoreItem(item);
  console.error(item.id);
}
await engine.close();
const products = new Set(whole.map(({ product }) => product)).size;
const page = `# What each pass and step is worth

Written by \`node evals/removal/ablation.ts\` over ${whole.length} rendered photos of ${products} products, pooled. A part is kept only if,
without it, a figure is worse by more than its 90 % interval (bootstrap over products, paired by photo), and at least three products are worse.
[What the figures mean](cutouts.md#the-figures).

${describeAblation(whole, without)}
`;
await writeFile(fileURLToPath(new URL('../../lab/ablation.md', import.meta.url)), page);
console.log(page);

async function scoreItem(item: Item): Promise<void> {
  const photo = await readImage(await readFile(path.join(item.folder, item.image)), limits);
  const truth = await readTruth(item);
  const clock = new StepClock(signal);
  const look = ({ openPasses, choosePasses }: Program): Promise<RoughMatte> => {
    const settings = {
      signal,
      extent: {},
      pace: createPassPace(),
      known: new Map(),
      mostNewPasses: 99,
      clock: Date.now,
    };
    const passes = openPasses(photo, engine, settings);
    return choosePasses(photo, { passes, clock, signal, mode: 'quality' });
  };
  const finish = async ({ finishCutout }: Program, rough: RoughMatte): Promise<Made> => {
    try {
      const { cutoutPng, subject } = await finishCutout(photo, rough, clock);
      return { cutoutPng, facts: subject };
    } catch (error) {
      if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
      return { cutoutPng: null, facts: null };
    }
  };
  const rough = await look(program);
  const made = await finish(program, rough);
  const row = await scoreMade('', item, made, truth);
  whole.push(toScored(row));
  const steps = new Set(clock.timings.map(({ step }) => step));
  for (const { name, after, isLast = false, program: other } of parts) {
    const mayMatter = after?.some((step) => steps.has(step)) ?? true;
    const seen = isLast || !mayMatter ? rough : await look(other);
    const isSeen = !isLast && isSame(seen.matte.data, rough.matte.data);
    const changed = isSeen ? made : await finish(other, seen);
    const isMade = isSame(changed.cutoutPng, made.cutoutPng);
    without.get(name)!.push(toScored(isMade ? row : await scoreMade('', item, changed, truth)));
  }
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === other || (one !== null && other !== null && Buffer.compare(one, other) === 0);
}
