/**
 * `node evals/jpeg/measure-white.ts`: how exactly white stays white. Draws the samples with their exact mattes on white,
 * 40 pictures, and prints for each encoder the share of the pixels that are 255 in all channels before encoding and are
 * still 255 afterwards, the lowest value among them, and the bytes relative to ours.
 */
import { readdir } from 'node:fs/promises';
import sharp, { type JpegOptions } from 'sharp';
import { resolveRecipe } from '../../src/recipes/resolve-recipe.ts';
import { drawPicture } from '../../src/rendering/draw-picture.ts';
import { jpegOptions } from '../../src/rendering/encode.ts';
import { renderTarget } from '../../src/rendering/render-target.ts';

const PICTURES = 40;
const variants = ['1:1', '4:5', '9:16'] as const;
/** Small, because ringing lies along the outline, and a small picture has more of it for its area. */
const longEdgePx = 800;
const target = { ...renderTarget('generated', 'jpeg'), longEdgePx };
const { signal } = new AbortController();

const encoders: Readonly<Record<string, JpegOptions | undefined>> = {
  ours: undefined,
  'sharp, overshoot deringing': jpegOptions(target),
  'sharp, mozjpeg (trellis, deringing)': { ...jpegOptions(target), mozjpeg: true },
  'sharp, mozjpeg, quality 100': { ...jpegOptions(target), mozjpeg: true, quality: 100 },
};
const sums = Object.fromEntries(
  Object.keys(encoders).map((name) => [name, { white: 0, kept: 0, lowest: 255, bytes: 0, worst: 1 }]),
);

const folder = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;
const names = (await readdir(folder('samples'))).filter((name) => name.endsWith('.jpg')).sort();
const jobs = variants.flatMap((variant) => names.map((name) => ({ variant, name }))).slice(0, PICTURES);
for (const { variant, name } of jobs) {
  const photo = folder(`samples/${name}`);
  const matte = folder(`test/golden/expected/${name.replace('.jpg', '.alpha.png')}`);
  const { width, height } = await sharp(photo).metadata();
  const alpha = await sharp(matte).extractChannel(0).resize(width, height, { fit: 'fill' }).png().toBuffer();
  const cutoutPng = await sharp(photo)
    .removeAlpha()
    .joinChannel(alpha)
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { info } = await sharp(alpha)
    .threshold(1)
    .trim({ background: '#000', threshold: 0 })
    .toBuffer({ resolveWithObject: true });
  const boundingBox = {
    x: -info.trimOffsetLeft!,
    y: -info.trimOffsetTop!,
    width: info.width,
    height: info.height,
  };
  const plan = resolveRecipe({ recipeId: `Solid${variant.replace(':', '_')}_0035`, variant });
  const request = { cutoutPng, boundingBox, touchesEdges: [], plan, signal };
  const exact = await sharp(
    (await drawPicture({ ...request, target: { ...renderTarget('generated', 'png'), longEdgePx } })).bytes,
  )
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: w, height: h } = exact.info;
  for (const [encoder, options] of Object.entries(encoders)) {
    const jpeg =
      options === undefined
        ? (await drawPicture({ ...request, target })).bytes
        : await sharp(exact.data, { raw: { width: w, height: h, channels: 3 } })
            .jpeg(options)
            .toBuffer();
    const shown = await sharp(jpeg).removeAlpha().raw().toBuffer();
    const sum = sums[encoder]!;
    let [white, kept] = [0, 0];
    for (let p = 0; p < shown.length; p += 3) {
      if (Math.min(exact.data[p]!, exact.data[p + 1]!, exact.data[p + 2]!) < 255) continue;
      white++;
      const low = Math.min(shown[p]!, shown[p + 1]!, shown[p + 2]!);
      if (low === 255) kept++;
      sum.lowest = Math.min(sum.lowest, low);
    }
    sum.white += white;
    sum.kept += kept;
    sum.worst = Math.min(sum.worst, kept / white);
    sum.bytes += jpeg.length;
  }
}
for (const [name, { white, kept, lowest, worst, bytes }] of Object.entries(sums))
  console.log(
    `${name}: ${((100 * kept) / white).toFixed(4)} % of ${white} white pixels, worst picture ${(100 * worst).toFixed(3)} %, lowest value ${lowest}, ${(bytes / sums.ours!.bytes).toFixed(2)} times the bytes`,
  );
