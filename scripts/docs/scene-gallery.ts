/**
 * Renders the studio's compositions, materials and some prompts with the sample products into docs/gallery/,
 * and writes docs/scenes.md around them.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';
import type { RgbImage } from '../../src/pixels.ts';
import type { Variant } from '../../src/recipes/catalogue.ts';
import { webpOptions } from '../../src/rendering/encode.ts';
import { canvasSize, renderTarget } from '../../src/rendering/render-target.ts';
import { colorDistance, oklchFromHex } from '../../src/scenes/oklch.ts';
import { parsePrompt } from '../../src/scenes/parse-prompt.ts';
import { planPlaces } from '../../src/scenes/places/plan-places.ts';
import { planScenes } from '../../src/scenes/plan-scenes.ts';
import { detectKindByRules } from '../../src/scenes/product-kind.ts';
import { readUnits } from '../../src/scenes/prompt/read-units.ts';
import { planWithReport, type WordReport } from '../../src/scenes/report-words.ts';
import { compositionParts } from '../../src/scenes/sets/compositions.ts';
import { makeFinish } from '../../src/scenes/sets/finishes.ts';
import { renderStudio } from '../../src/studio/render-studio.ts';
import {
  type Composition,
  compositions,
  type Material,
  materials,
  type ScenePlan,
} from '../../src/studio/scene-plan.ts';
import { stageScene } from '../../src/studio/stage-scene.ts';
import { type SampleProduct, samplesFolder } from './sample-products.ts';
import { describeScenes, type PromptPicture } from './scene-gallery-page.ts';
import { drawSampleScene } from './scene-gallery-picture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs/gallery');

/** About a hundred pictures with this longer side stay below 3 MB. */
const LONG_EDGE_PX = 320;
const SWATCH_PX = 240;
const ratios = ['1:1', '4:5', '9:16', '16:9'] as const satisfies readonly Variant[];

/** Products for every kind of staging (tall, long, furniture and so on), so that each composition has suitable ones. */
export const sceneProducts = [
  'perfume-marbletop',
  'mug-clutter',
  'headphones-paper',
  'eyeglasses-paper',
  'chair-room',
  'waterbottle-hard',
  'guitar-hard',
] as const;

/** Materials without a swatch: leaves, petals and glass are shown as props, and water as a composition. */
const withoutSwatch: readonly Material[] = ['leaf', 'petal', 'glass', 'water'];

export const galleryPrompts = [
  { product: 'perfume-marbletop', prompt: 'white marble podium, palm shadow' },
  { product: 'mug-clutter', prompt: 'rustic oak table, sage green wall, morning window light' },
  { product: 'headphones-paper', prompt: 'dark concrete, moody, a slit of light' },
  { product: 'waterbottle-hard', prompt: 'standing in turquoise water at sunset' },
  { product: 'eyeglasses-paper', prompt: 'blue background and yellow podium, no plants' },
  { product: 'perfume-marbletop', prompt: 'auf Seide, Flieder, elegant' },
] as const;

/** The scenes of the README's picture: products in real places, with their photos. Chosen by eye. */
export const readmeScenes = [
  { photo: 'headphones-paper', words: 'lobby', seed: 1 },
  { photo: 'perfume-marbletop', words: 'forest', seed: 1 },
  { photo: 'waterbottle-hard', words: 'sunrise', seed: 2 },
] as const;
const README_SIDE_PX = 660;
const README_GAP_PX = 10;
/** The small photo in the corner of a README picture: longer side, distance from the edges, width of its frame. */
const INSET = { sidePx: 168, marginPx: 16, framePx: 4 } as const;

/** Color of the swatches of materials that have no color of their own. */
const clay = { l: 0.72, c: 0.09, h: 45 } as const;

export interface GalleryPicture {
  /** Path relative to the page. */
  readonly path: string;
  readonly caption: string;
}

/** Rejects if a composition has no picture. */
export async function writeSceneGallery(products: readonly SampleProduct[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const ofComposition = new Map<Composition, readonly GalleryPicture[]>();
  for (const [index, composition] of compositions.entries()) {
    ofComposition.set(composition, await drawComposition(composition, index, products));
  }
  const ofMaterial = new Map<Material, GalleryPicture>();
  const studio = findPlan('sweep', products[0]!, '1:1', []);
  for (const material of materials.filter((name) => !withoutSwatch.includes(name))) {
    if (studio) ofMaterial.set(material, await drawMaterial(material, studio));
  }
  const ofPrompt: PromptPicture[] = [];
  for (const [index, { prompt, product: name }] of galleryPrompts.entries()) {
    ofPrompt.push(
      await drawPrompt(prompt, `prompt-${index + 1}`, products.find((one) => one.name === name)!),
    );
  }
  await writeFile(join(root, 'docs/scenes.md'), describeScenes({ ofComposition, ofMaterial, ofPrompt }));
  console.log(`docs/scenes.md shows ${ofComposition.size} compositions and ${ofMaterial.size} materials`);
}

/** Draws a composition in the four ratios, each with a different suitable product. */
async function drawComposition(
  composition: Composition,
  turn: number,
  products: readonly SampleProduct[],
): Promise<readonly GalleryPicture[]> {
  const suited = products.filter((product) =>
    compositionParts[composition].stagings.includes(detectKind(product).staging),
  );
  const taken: ScenePlan[] = [];
  const pictures: GalleryPicture[] = [];
  for (const [index, ratio] of ratios.entries()) {
    for (let next = 0; next < suited.length; next++) {
      const product = suited[(index + turn + next) % suited.length]!;
      const plan = findPlan(composition, product, ratio, taken);
      if (!plan) continue;
      taken.push(plan);
      const picture = await drawSampleScene(plan, product, LONG_EDGE_PX);
      pictures.push(await keepPicture(picture, `${composition}-${ratio.replace(':', 'x')}`, ratio));
      break;
    }
  }
  if (pictures.length === 0) throw new Error(`No picture of the composition ${composition}`);
  return pictures;
}

function detectKind({ features, name }: SampleProduct) {
  return detectKindByRules({ features, fileName: name });
}

/** Prompts for the compositions that are rarely or never suggested without one. */
const askedFor: Partial<Record<Composition, string>> = {
  block: 'on a block',
  steps: 'steps',
  shelf: 'shelf',
  arch: 'arch',
  drape: 'draped silk',
  rocks: 'rocks',
  dune: 'sand dunes',
  water: 'water',
  halo: 'disc',
  columns: 'columns',
  colorblock: 'geometric shapes',
  garden: 'garden, palm leaves',
  luxury: 'dark silk',
  flatlay: 'flat lay',
};

/** Number of seeds compared to find the plan that differs most from the plans already chosen. */
const SEEDS_COMPARED = 6;
const MOST_SEEDS = 60;
const wholeList = { name: 'GALLERY', lists: 4, perList: 6 } as const;

function findPlan(
  composition: Composition,
  product: SampleProduct,
  ratio: Variant,
  taken: readonly ScenePlan[],
): ScenePlan | undefined {
  const found: ScenePlan[] = [];
  const prompt = askedFor[composition];
  for (let seed = 1; seed <= MOST_SEEDS && (seed <= SEEDS_COMPARED || found.length === 0); seed++) {
    const lists = planScenes({
      product: detectKind(product),
      features: product.features,
      words: prompt === undefined ? undefined : parsePrompt(prompt),
      ratio,
      preset: wholeList,
      seed,
    });
    for (const { plan } of lists.flatMap(({ scenes }) => scenes)) {
      if (plan.composition === composition) found.push(plan);
    }
  }
  const novelty = (plan: ScenePlan): number =>
    Math.min(
      1,
      ...taken.map((other) => colorDistance(oklchFromHex(plan.palette[0]), oklchFromHex(other.palette[0]))),
    );
  return found.toSorted((one, other) => novelty(other) - novelty(one))[0];
}

/** Draws a ball and a block of a material, in the light of an empty studio. */
async function drawMaterial(material: Material, studio: ScenePlan): Promise<GalleryPicture> {
  const finish = makeFinish({ material }, clay);
  const paper = makeFinish({ material: 'matte' }, { l: 0.93, c: 0.006, h: 80 });
  const lying = { ...finish, y: 0, bevel: 0.03, leanDeg: 0, tipDeg: 0, seed: 1 };
  const plan: ScenePlan = {
    ...studio,
    surface: { ...paper, relief: 'flat', amplitude: 0 },
    backdrop: { ...studio.backdrop, ...paper },
    pedestal: null,
    backProps: [],
    sideProps: [
      { ...lying, shape: 'sphere', u: -0.4, z: 0.1, width: 0.42, height: 0.42, depth: 0.42, turnDeg: 0 },
      { ...lying, shape: 'box', u: 0.34, z: -0.2, width: 0.46, height: 0.5, depth: 0.46, turnDeg: -24 },
    ],
    gobo: { kind: 'none' },
  };
  const { plate } = await renderStudio(stageScene(plan), {
    ...canvasSize('1:1', SWATCH_PX),
    quality: 'preview',
    signal: new AbortController().signal,
  });
  return keepPicture(plate!, `material-${material}`, material);
}

async function drawPrompt(prompt: string, name: string, product: SampleProduct): Promise<PromptPicture> {
  const { plans, report } = planPrompt(prompt, product);
  const picture = await drawSampleScene(plans[0]!, product, LONG_EDGE_PX);
  return { ...(await keepPicture(picture, name, prompt)), report };
}

function planPrompt(
  prompt: string,
  { features, name }: SampleProduct,
): { plans: readonly ScenePlan[]; report: WordReport } {
  const units = readUnits(prompt);
  const product = detectKindByRules({ features, fileName: name });
  const request = {
    product,
    features,
    units,
    stated: undefined,
    ratio: '1:1',
    preset: wholeList,
    seed: 1,
  } as const;
  const { lists, report } = planWithReport(request);
  return { plans: lists.flatMap(({ scenes }) => scenes.map(({ plan }) => plan)), report: report! };
}

/** Draws the README's picture; `products` must include those of `readmeScenes`. */
export async function writeReadmePicture(products: readonly SampleProduct[]): Promise<void> {
  const tiles: OverlayOptions[] = [];
  for (const [index, { photo, words, seed }] of readmeScenes.entries()) {
    const product = products.find(({ name }) => name === photo)!;
    const left = index * (README_SIDE_PX + README_GAP_PX);
    const { plan } = planPlaces(
      {
        product: detectKind(product),
        features: product.features,
        words: parsePrompt(words),
        ratio: '1:1',
        preset: wholeList,
      },
      1,
      seed,
    )[0]!;
    const { data, width, height } = await drawSampleScene(plan, product, README_SIDE_PX);
    tiles.push({ input: Buffer.from(data), raw: { width, height, channels: 3 }, left, top: 0 });
    tiles.push({ ...(await framePhoto(photo)), left: left + INSET.marginPx });
  }
  const width = readmeScenes.length * (README_SIDE_PX + README_GAP_PX) - README_GAP_PX;
  await sharp({ create: { width, height: README_SIDE_PX, channels: 3, background: '#ffffff' } })
    .composite(tiles)
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toFile(join(root, 'docs/images/scenes.jpg'));
}

/** A sample photo as a small framed print, and the row of the README's picture at which the print begins. */
async function framePhoto(name: string): Promise<{ readonly input: Buffer; readonly top: number }> {
  const { sidePx, marginPx, framePx } = INSET;
  const { data, info } = await sharp(join(samplesFolder, `${name}.jpg`))
    .resize({ width: sidePx, height: sidePx, fit: 'inside', kernel: 'lanczos3' })
    .extend({ top: framePx, bottom: framePx, left: framePx, right: framePx, background: '#ffffff' })
    .png()
    .toBuffer({ resolveWithObject: true });
  return { input: data, top: README_SIDE_PX - marginPx - info.height };
}

async function keepPicture(
  { data, width, height }: RgbImage,
  name: string,
  caption: string,
): Promise<GalleryPicture> {
  await sharp(data, { raw: { width, height, channels: 3 } })
    .webp(webpOptions(renderTarget('preview', 'webp')))
    .toFile(join(folder, `${name}.webp`));
  return { path: `gallery/${name}.webp`, caption };
}
