/**
 * `node evals/removal/ablation.ts DIR [DIR] [--passes FOLDER]`: leaves out each pass and each step in turn, scores the
 * cutouts of the pooled rendered photos, and writes lab/ablation.md. A pass or a step is kept only if, without it, a
 * figure is worse by more than its 90 % interval, and at least three products are worse.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { stages } from '../../src/cutout/passes/run-passes.ts';
import { describeAblation } from './ablation-table.ts';
import type { ScoredPhoto } from './compare-rows.ts';
import { rememberPasses } from './remembered-passes.ts';
import { cutItem, listItems, readTruth, scoreMade, type Variant } from './score-photos.ts';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { passes: { type: 'string' } },
});
if (folders.length === 0) {
  console.error('Usage: node evals/removal/ablation.ts DIR [DIR] [--passes FOLDER]');
  process.exit(2);
}
const later = stages.filter((stage) => stage !== 'full-pass' && stage !== 'close-pass');
const variants: ReadonlyMap<string, Variant> = new Map([
  ...later.map((stage): [string, Variant] => [stage, { extent: { leaveOut: [stage] } }]),
  ['every pass after the first two', { extent: { leaveOut: later } }],
  ['sharpen-edges', { without: ['sharpen-edges'] }],
  ['clean-edges', { without: ['clean-edges'] }],
]);
const opened = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
const engine = values.passes === undefined ? opened : await rememberPasses(opened, values.passes);
const whole: ScoredPhoto[] = [];
const without = new Map([...variants.keys()].map((part): [string, ScoredPhoto[]] => [part, []]));
for (const item of await listItems(folders)) {
  if (item.group !== 'rendered') continue;
  const truth = await readTruth(item);
  const made = await cutItem(item, engine, {});
  const row = await scoreMade('', item, made, truth);
  whole.push(row);
  for (const [part, variant] of variants) {
    const changed = await cutItem(item, engine, variant);
    const isSame =
      made.cutoutPng && changed.cutoutPng && Buffer.compare(made.cutoutPng, changed.cutoutPng) === 0;
    without.get(part)!.push(isSame ? row : await scoreMade('', item, changed, truth));
  }
  console.error(item.id);
}
await engine.close();
const products = new Set(whole.map(({ product }) => product)).size;
const page = `# What each pass and step is worth

Written by \`node evals/removal/ablation.ts\` over ${whole.length} rendered photos of ${products} products, pooled. A pass or a step is kept only if,
without it, a figure is worse by more than its 90 % interval (bootstrap over products, paired by photo), and at least three products are worse.
[What the figures mean](cutouts.md#the-figures).

${describeAblation(whole, without)}
`;
await writeFile(fileURLToPath(new URL('../../lab/ablation.md', import.meta.url)), page);
console.log(page);
