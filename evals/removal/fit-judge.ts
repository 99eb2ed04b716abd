/**
 * `node evals/removal/fit-judge.ts [DIR ...] [--remembered]`: fits the judge of src/cutout/judge and writes its numbers to
 * judge.json there, with what a cross-validation by product found.
 *
 * It learns from the photos of `draw-photos.ts` and from those of each DIR, a folder as for `npm run eval:removal`. All
 * looks are kept in data/judge/looks; with `--remembered`, photos whose looks are not there yet are left out.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import type { RemovalEngine } from '../../src/cutout/removal-engine.ts';
import { type Case, type Item, makeCase } from './judge-cases.ts';
import { crossValidate, describeValidation, fitJudge } from './judge-fitting.ts';
import { rememberLooks } from './remembered-looks.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { remembered: { type: 'boolean', default: false } },
});
const notRemembered = new Error('not remembered');
const cacheDir = here('../../data/golden-cache');
const opened = await openIsnet({ threads: 2, cacheDir });
const asked: RemovalEngine = values.remembered
  ? { ...opened, predictMatte: () => Promise.reject(notRemembered) }
  : opened;
const engine = await rememberLooks(asked, here('../../data/judge/looks'));
const cases: Case[] = [];
for (const folder of [here('../../data/judge/photos'), ...positionals]) {
  const { items } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
    items: Item[];
  };
  for (const item of items.filter(({ alpha }) => alpha !== undefined)) {
    try {
      cases.push(await makeCase(folder, item, engine));
    } catch (error) {
      if (error !== notRemembered) throw error;
    }
  }
  console.error(`${folder}: ${cases.length} photos so far`);
}
await opened.close();
const validation = crossValidate(cases);
console.log(describeValidation(validation));
const about = {
  about: 'Written by `node evals/removal/fit-judge.ts`; see docs/quality.md.',
  photos: cases.length,
  products: new Set(cases.map(({ product }) => product)).size,
};
const target = here('../../src/cutout/judge/judge.json');
await writeFile(target, `${JSON.stringify({ ...about, ...fitJudge(cases, validation.margin) }, null, 2)}\n`);
