/** Draws the pictures for a blind judgment: for each product, studio sets and real places as `suggest` lists them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { SampleProduct } from '../../scripts/docs/sample-products.ts';
import { drawSampleScene } from '../../scripts/docs/scene-gallery-picture.ts';
import type { Variant } from '../../src/recipes/catalogue.ts';
import { aiStudio } from '../../src/recipes/presets.ts';
import { planScenes, type SceneList } from '../../src/scenes/plan-scenes.ts';
import { detectKindByRules } from '../../src/scenes/product-kind.ts';
import { hashSeed } from '../../src/scenes/seeded-random.ts';

/** Pictures of each kind for each product. */
const TURNS = 5;
/** Longer side of a picture, in pixels. */
const LONG_EDGE_PX = 640;

interface BlindWish {
  readonly folder: string;
  /** The aspect ratios that the pictures take in turn. */
  readonly ratios: readonly Variant[];
  /** A different text selects different scenes. */
  readonly seed: string;
}

/**
 * Writes `set-PRODUCT-N.png` and `place-PRODUCT-N.png`, and `plans.jsonl`, which is not for the judges: the title, the
 * processor time in seconds and the plan of each picture.
 */
export async function drawBlindPictures(
  products: readonly SampleProduct[],
  { folder, ratios, seed }: BlindWish,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines: string[] = [];
  for (const [index, product] of products.entries()) {
    for (let turn = 0; turn < TURNS; turn++) {
      const lists = planTurn(product, ratios[(index + turn) % ratios.length]!, seed, turn);
      for (const kind of ['set', 'place'] as const) {
        const scenes = lists
          .filter(({ id }) => (kind === 'place') === (id === 'places'))
          .flatMap((list) => list.scenes);
        if (scenes.length === 0) continue;
        const { title, plan } = scenes[hashSeed(seed, kind, product.name, String(turn)) % scenes.length]!;
        const file = `${kind}-${product.name}-${turn}`;
        const before = process.cpuUsage();
        const { data, width, height } = await drawSampleScene(plan, product, LONG_EDGE_PX);
        const { user, system } = process.cpuUsage(before);
        await sharp(data, { raw: { width, height, channels: 3 } })
          .png({ compressionLevel: 6 })
          .toFile(join(folder, `${file}.png`));
        lines.push(JSON.stringify({ file, title, cpu: (user + system) / 1e6, plan }));
      }
    }
    console.error(`${index + 1}/${products.length} ${product.name}`);
  }
  await writeFile(join(folder, 'plans.jsonl'), `${lines.join('\n')}\n`);
  console.log(`${folder}: ${lines.length} pictures`);
}

function planTurn(
  { name, features }: SampleProduct,
  ratio: Variant,
  seed: string,
  turn: number,
): SceneList[] {
  return planScenes({
    product: detectKindByRules({ features, fileName: `${name}.jpg` }),
    features,
    words: undefined,
    ratio,
    preset: aiStudio,
    seed: hashSeed(seed, name, String(turn)),
  });
}
