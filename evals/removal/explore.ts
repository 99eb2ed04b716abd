import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { createPassPace } from '../../src/cutout/passes/pass-pace.ts';
import { readImage } from '../../src/designs/read-image.ts';
import { StepClock } from '../../src/step-clock.ts';
import { loadWithout, registerVariants, variants } from './ablation-variants.ts';
import { rememberPasses } from './remembered-passes.ts';
import { limits, listItems, readTruth, scoreMade } from './score-photos.ts';
const v = variants as Map<string, any>;
const C='passes/choose-passes.ts';
v.set('log', { file: C, from: 'const { matte, isAgreed, isWithin, measures } = first;', to: 'const { matte, isAgreed, isWithin, measures } = first; globalThis.M = {...measures, agreement:first.agreement, isAgreed,isWithin,crop:first.crop};' });
v.set('three', { file: C, from: 'if (isWithin && isEnough(measures)) return seen;', to: '' });
v.set('square', { file: 'passes/close-pass.ts', from: "const resolution = isShaped ? 'shaped' : 'full';", to: "const resolution = 'full';" });
const which = (process.env.W ?? 'three,square').split(',');
registerVariants();
const engine = await rememberPasses(await openIsnet({ threads: 2, cacheDir: '/work/wt/abl32/data/golden-cache/' }), '/work/wt/passes');
const base = await loadWithout('log');
const others = await Promise.all(which.map((w) => loadWithout(w)));
for (const item of await listItems(['/work/shared/eval/removal', '/work/shared/eval/removal-more'])) {
  if (item.group !== 'rendered') continue;
  const photo = await readImage(await readFile(path.join(item.folder, item.image)), limits);
  const truth = await readTruth(item);
  const signal = new AbortController().signal;
  const clock = new StepClock(signal);
  const known = new Map();
  const go = async (p: any) => {
    const passes = p.openPasses(photo, engine, { signal, extent: {}, pace: createPassPace(), known, mostNewPasses: 99, clock: Date.now });
    return p.choosePasses(photo, { passes, clock, signal, mode: 'quality' });
  };
  const a = await go(base);
  const ran = clock.timings.map((t) => t.step).filter((s) => !/coarse|close|compare/.test(s));
  const made = async (r: any, p: any) => { const m = await p.finishCutout(photo, r, clock); return (await scoreMade('', item, { cutoutPng: m.cutoutPng, facts: null }, truth)).score; };
  const out: any = { id: item.id, ran, m: (globalThis as any).M, base: await made(a, base) };
  for (const [n, p] of others.entries()) {
    const r = await go(p);
    out[which[n]!] = Buffer.compare(r.matte.data, a.matte.data) === 0 ? out.base : await made(r, p);
  }
  console.log(JSON.stringify(out));
  console.error(item.id);
}
await engine.close();
