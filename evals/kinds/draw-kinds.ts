/**
 * Draws seeded pictures of the kinds that shops upload beside photos of products: graphics, close-ups, covers, several
 * products. Close-ups and groups are made from photos of products with exact mattes.
 */
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { createRandom, hashSeed, type SeededRandom } from '../../packages/pixels/src/seeded-random.ts';
import { readGray } from '../removal/read-pictures.ts';
import { type Item, listItems } from '../removal/score-photos.ts';
import { drawBanner, drawChart, drawCover, drawLabel, drawSwatches, drawWeave } from './drawn-svg.ts';

export interface LabelledPhoto {
  readonly id: string;
  /** Photos of one product are judged by a model that saw none of them. */
  readonly product: string;
  readonly kind: string;
  readonly bytes: Buffer;
}

interface Product {
  readonly item: Item;
  readonly photo: string;
  /** One byte per pixel. */
  readonly matte: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

const counts = { chart: 14, banner: 10, swatches: 6, callouts: 12, label: 12, weave: 6, crop: 30, cover: 24 };
const groups = { several: 18 };

/** The same pictures for the same folders of rendered photos, each with a manifest.json. */
export async function* drawKinds(folders: readonly string[]): AsyncGenerator<LabelledPhoto> {
  const items = (await listItems(folders)).filter(({ group }) => group === 'rendered');
  const make = { ...madeFromNothing, ...madeFromProducts };
  for (const [name, count] of Object.entries({ ...counts, ...groups })) {
    for (let number = 0; number < count; number++) {
      const random = createRandom(hashSeed(name, number));
      const known = random.shuffle(items).slice(0, 4);
      const [kind, picture] = await make[name as keyof typeof make](random, known);
      const bytes = await encode(picture, random);
      const isDrawn = name in madeFromNothing;
      const product = isDrawn ? `${name}-${number % 8}` : (known[0]!.product ?? known[0]!.id);
      yield { id: `drawn-${name}-${number}`, product, kind, bytes };
    }
  }
}

const encode = (picture: Sharp, random: SeededRandom): Promise<Buffer> =>
  picture
    .flatten({ background: '#fff' })
    .jpeg({ quality: Math.round(random.between(72, 94)) })
    .toBuffer();

type Made = readonly [kind: string, picture: Sharp];
type Make = (random: SeededRandom, items: readonly Item[]) => Promise<Made> | Made;

const fromSvg = (svg: string) => sharp(Buffer.from(svg));

const madeFromNothing: Record<'chart' | 'banner' | 'swatches' | 'label' | 'weave', Make> = {
  chart: (random) => ['graphic', fromSvg(drawChart(random))],
  banner: (random) => ['graphic', fromSvg(drawBanner(random))],
  swatches: (random) => ['graphic', fromSvg(drawSwatches(random))],
  label: (random) => ['close_up', fromSvg(drawLabel(random))],
  weave: (random) => ['close_up', drawWeave(random)],
};

const madeFromProducts: Record<'callouts' | 'crop' | 'cover' | 'several', Make> = {
  /** A product between arrows and words. */
  async callouts(random, [item]) {
    const product = await readProduct(item!);
    const cutout = await cutOut(product, random.between(380, 640));
    const page = fromSvg(drawBanner(random, 'callouts'));
    const { width = 0, height = 0 } = await page.metadata();
    const place = await placeIn(cutout, { width, height }, random.between(0.3, 0.7));
    return ['graphic', sharp(await page.composite([place]).png().toBuffer())];
  },
  /** A part of the product that fills most of the frame. */
  async crop(random, [item]) {
    const product = await readProduct(item!);
    return ['close_up', await cropClose(product, random)];
  },
  async cover(random, [item]) {
    const product = await readProduct(item!);
    const isPlain = random.next() < 0.5;
    const ground = isPlain ? plainGround(random) : await findGround(product, random);
    const cover = fromSvg(drawCover(random));
    const size = random.between(420, 760);
    const turned = await cover
      .resize({ height: Math.round(size) })
      .affine([1, random.between(-0.08, 0.08), random.between(-0.08, 0.08), 1], { background: '#0000' })
      .png()
      .toBuffer();
    const place = await placeIn(turned, { width: 900, height: 900 }, 0.5);
    return [
      'cover',
      sharp(await ground.resize(900, 900, { fit: 'cover' }).composite([place]).png().toBuffer()),
    ];
  },
  async several(random, items) {
    const most = random.next() < 0.3 ? 1 : 2 + Math.floor(random.next() * 3);
    const chosen = most === 1 ? [items[0]!, items[0]!] : items.slice(0, most);
    const [first] = items;
    const base =
      random.next() < 0.6 ? plainGround(random) : await findGround(await readProduct(first!), random);
    const ground = base.resize(1200, 800, { fit: 'cover' });
    const places = [];
    for (const [n, item] of chosen.entries()) {
      const cutout = await cutOut(
        await readProduct(item),
        random.between(0.7, 0.95) * (1100 / chosen.length),
      );
      const { width = 1, height = 1 } = await sharp(cutout).metadata();
      const left = Math.round(((n + 0.5) * 1200) / chosen.length - width / 2);
      places.push({ input: cutout, left: Math.max(0, left), top: Math.max(0, Math.round(690 - height)) });
    }
    return ['several', sharp(await ground.composite(places).png().toBuffer())];
  },
};

async function readProduct(item: Item): Promise<Product> {
  const { alpha: matte, width, height } = await readGray(path.join(item.folder, item.alpha));
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 0; i < matte.length; i++) {
    if (matte[i]! < 128) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  const box = { left, top, width: right - left + 1, height: bottom - top + 1 };
  const photo = path.join(item.folder, item.image);
  return { item, photo, matte, width, height, box };
}

/** The product on transparency, `side` pixels along its longer side and never taller than 660. */
async function cutOut({ item, photo, matte, width, height, box }: Product, side: number): Promise<Buffer> {
  const colors = item.fg === undefined ? photo : path.join(item.folder, item.fg);
  const whole = await sharp(colors)
    .joinChannel(Buffer.from(matte), { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  const most = { width: Math.round(side), height: Math.min(660, Math.round(side)) };
  return sharp(whole)
    .extract(box)
    .resize({ ...most, fit: 'inside' })
    .png()
    .toBuffer();
}

async function placeIn(input: Buffer, page: { width: number; height: number }, across: number) {
  const { width = 1, height = 1 } = await sharp(input).metadata();
  const left = Math.round(across * page.width - width / 2);
  return {
    input,
    left: Math.max(0, Math.min(page.width - width, left)),
    top: Math.max(0, Math.round((page.height - height) / 2)),
  };
}

/** The first of many random windows of which the product covers most, and from which it runs out on three sides. */
async function cropClose({ photo, matte, box, ...photoSize }: Product, random: SeededRandom): Promise<Sharp> {
  let best = { left: box.left, top: box.top, width: box.width, height: box.height };
  let most = 0;
  for (let attempt = 0; attempt < 300 && most < 0.72; attempt++) {
    const side = Math.round(random.between(0.25, 0.6) * Math.max(box.width, box.height));
    const width = Math.min(photoSize.width, side);
    const height = Math.min(photoSize.height, Math.round(side * random.between(0.75, 1.3)));
    const left = Math.round(random.between(0, 1) * Math.max(0, box.width - width)) + box.left;
    const top = Math.round(random.between(0, 1) * Math.max(0, box.height - height)) + box.top;
    if (left + width > photoSize.width || top + height > photoSize.height) continue;
    let covered = 0;
    for (let y = 0; y < height; y += 4)
      for (let x = 0; x < width; x += 4) if (matte[(top + y) * photoSize.width + left + x]! > 128) covered++;
    const share = covered / (Math.ceil(height / 4) * Math.ceil(width / 4));
    if (share > most) [most, best] = [share, { left, top, width, height }];
  }
  return sharp(photo).extract(best).resize({ width: 900, height: 900, fit: 'inside' });
}

function plainGround(random: SeededRandom): Sharp {
  const level = () => Math.round(random.between(150, 255));
  const gray = level();
  const color = random.next() < 0.6 ? [gray, gray, gray] : [level(), level(), level()];
  const light = random.next() < 0.3 ? [255, 255, 255] : color;
  const stop = (rgb: readonly number[], fall: number) =>
    `rgb(${rgb.map((v) => Math.round(v * fall)).join(',')})`;
  return fromSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${stop(light, 1)}"/><stop offset="1" stop-color="${stop(light, random.between(0.85, 1))}"/></linearGradient></defs><rect width="1200" height="1200" fill="url(#g)"/></svg>`,
  );
}

/** The largest part of a photo above, below or beside its product. */
async function findGround({ photo, width, height, box }: Product, random: SeededRandom): Promise<Sharp> {
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  const parts = [
    { left: 0, top: 0, width, height: box.top },
    { left: 0, top: bottom, width, height: height - bottom },
    { left: 0, top: 0, width: box.left, height },
    { left: right, top: 0, width: width - right, height },
  ].toSorted((a, b) => b.width * b.height - a.width * a.height);
  const part = parts[random.next() < 0.6 ? 0 : 1]!;
  const isTiny = part.width < 40 || part.height < 40;
  return sharp(
    await sharp(photo)
      .extract(isTiny ? parts[0]! : part)
      .png()
      .toBuffer(),
  );
}
