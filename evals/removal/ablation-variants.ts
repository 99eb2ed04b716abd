/**
 * The parts of the cutout that the ablation leaves out, each as one change of one file's source. So the program has no
 * switches that only an evaluation would set, and no cut is ever made again with the part that was left out.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as CutSubject from '../../packages/cutout/src/cut-subject.ts';
import type * as ChoosePasses from '../../packages/cutout/src/passes/choose-passes.ts';
import type * as RunPasses from '../../packages/cutout/src/passes/run-passes.ts';

/** `from` occurs once in the file. */
interface Change {
  /** Below `packages/cutout/src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /**
   * The part can matter only if one of these steps has run. Default: always. `last` parts work on the result of the
   * passes, which stays the same.
   */
  readonly after?: readonly string[];
  readonly isLast?: boolean;
}

type Texts = readonly [file: string, from: string, to: string];

const skip = (...stages: readonly string[]): Change => ({
  file: 'passes/run-passes.ts',
  from: 'mayRun(stage: Stage, cost: number): boolean {',
  to: `mayRun(stage: Stage, cost: number): boolean { if (${JSON.stringify(stages)}.includes(stage)) return false;`,
  after: stages.map((stage) => (stage === 'matting' ? 'matte-soft-edges' : stage)),
});
const change = ([file, from, to]: Texts, ...after: readonly string[]): Change => ({
  file,
  from,
  to,
  ...(after.length > 0 && { after }),
});
const last = (file: string, from: string, to: string): Change => ({ file, from, to, isLast: true });
/** A function that returns its first argument. */
const leave = (file: string, name: string): Change =>
  last(
    file,
    `export function ${name}(matte: Matte): Matte {`,
    `export function ${name}(matte: Matte) { return matte;`,
  );

export const variants: ReadonlyMap<string, Change> = new Map(
  Object.entries({
    'whole pass': skip('whole-pass'),
    exposures: skip('exposures'),
    'far pass': skip('far-pass'),
    'half passes (meshes)': skip('half-passes'),
    'matting of fur': skip('matting'),
    'all of these passes': skip('whole-pass', 'exposures', 'far-pass', 'half-passes', 'matting'),
    'sharpened edges': last('steps/sharpen-edges.ts', 'const data = before.slice();', 'return matte;'),
    'cleaned edge colors': last('cut-subject.ts', 'source.alpha === null ?', 'false ?'),
    'limits of rim colors': last(
      'steps/clean-edges.ts',
      'holdRimColors(cutout, source, matte, { box, opaque: OPAQUE });',
      '',
    ),
    specks: last('steps/refine-matte.ts', 'closeVeils(dropSpecks(matte))', 'closeVeils(matte)'),
    'veils inside': leave('steps/refine-matte.ts', 'closeVeils'),
    'far pass: thin parts dropped': change(
      ['steps/add-lost-parts.ts', 'keepThickParts(lost) ?', 'lost.data.includes(1) ?'],
      'far-pass',
    ),
    'far pass: only if contested': change(
      ['passes/choose-passes.ts', 'if (!isContested(settled.evidence)) return settled;', ''],
      'whole-pass',
      'exposures',
    ),
    'mix 70:30': change(
      ['passes/mix-passes.ts', 'const CLOSE_SHARE = 0.7;', 'const CLOSE_SHARE = 1;'],
      'whole-pass',
      'exposures',
    ),
    'mix only if agreed': change(
      [
        'passes/mix-passes.ts',
        'if (agreement < MIN_AGREEMENT) return { matte: whole, agreement, disputed };',
        '',
      ],
      'whole-pass',
      'exposures',
    ),
    'stopping after two passes': change([
      'passes/choose-passes.ts',
      'if (isEnough(measures)) return seen;',
      '',
    ]),
    'halves: share of the whole': change(
      ['passes/half-passes.ts', 'const SHARE = 0.85;', 'const SHARE = 1;'],
      'half-passes',
    ),
    'halves: exposure on paper': change(['passes/half-passes.ts', 'darken(part)', 'part'], 'half-passes'),
    'fur told from other softness': change(
      [
        'steps/matte-soft-edges.ts',
        'photo === null || !isFur(matte, photo, { weights, area, scale })',
        'photo === null',
      ],
      'matte-soft-edges',
    ),
  }),
);

const root = new URL('../../packages/cutout/src/', import.meta.url).href;

/** Throws if the change does not fit the file any more. */
export function readChanged({ file, from, to }: Change): string {
  const parts = readFileSync(fileURLToPath(new URL(file, root)), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

/** The program without that part; the whole program for the empty name. */
export async function loadWithout(name: string) {
  const load = (file: string) => import(`${root}${file}${name && `?without=${encodeURIComponent(name)}`}`);
  const { choosePasses } = (await load('passes/choose-passes.ts')) as typeof ChoosePasses;
  const { openPasses } = (await load('passes/run-passes.ts')) as typeof RunPasses;
  const { finishCutout } = (await load('cut-subject.ts')) as typeof CutSubject;
  return { choosePasses, openPasses, finishCutout };
}

/** Must be called before `loadWithout`. */
export function registerVariants(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      const query = /\?without=.*$/.exec(context.parentURL ?? '')?.[0];
      return query && found.url.startsWith(root) ? { ...found, url: `${found.url}${query}` } : found;
    },
    load(url, context, nextLoad) {
      const { searchParams, pathname } = new URL(url);
      const changed = variants.get(searchParams.get('without') ?? '');
      const isChanged = changed !== undefined && pathname === new URL(changed.file, root).pathname;
      return isChanged
        ? { format: 'module-typescript', source: readChanged(changed), shortCircuit: true }
        : nextLoad(url, context);
    },
  });
}
