import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../pixels.ts';
import { clearCutout, tellGlass } from './clear-cutout.ts';
import { findSubjectFacts } from './steps/subject-facts.ts';
import { matteOfSpectacles, paint, paper, photographSpectacles } from './testing/spectacles.ts';

const matte = matteOfSpectacles();
const pngOf = ({ width, height, data }: RgbImage) =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

async function cutOut(photo: RgbImage): Promise<Buffer> {
  const { width, height } = photo;
  return sharp(photo.data, { raw: { width, height, channels: 3 } })
    .joinChannel(Buffer.from(matte.data), { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

describe('clearing glass in a cutout', () => {
  it('makes the lenses of eyeglasses transparent', async () => {
    const photo = photographSpectacles(paper);
    const png = await clearCutout({ bytes: await pngOf(photo), cutoutPng: await cutOut(photo) });
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: photo.width, height: photo.height, channels: 4 });
    expect(data[(100 * info.width + 100) * 4 + 3]).toBeLessThan(80);
    expect(data[(100 * info.width + 56) * 4 + 3]).toBe(255);
  });

  it('changes nothing if there is no glass, or if the photo has its own transparency', async () => {
    const opaque = photographSpectacles(paper, () => [30, 60, 30]);
    const cutoutPng = await cutOut(opaque);
    expect(cutoutPng.equals(await clearCutout({ bytes: await pngOf(opaque), cutoutPng }))).toBe(true);
    const own = await cutOut(photographSpectacles(paper));
    expect(own.equals(await clearCutout({ bytes: own, cutoutPng: own }))).toBe(true);
  });

  it('clears most of the eyeglasses in a sample photo, but not all, and raises no alpha', async () => {
    const bytes = await readFile('samples/eyeglasses-paper.jpg');
    const { data: alpha, info } = await sharp('test/golden/expected/eyeglasses-paper.alpha.png')
      .extractChannel(0)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const cutoutPng = await sharp(bytes)
      .joinChannel(alpha, { raw: { width: info.width, height: info.height, channels: 1 } })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const cleared = await clearCutout({ bytes, cutoutPng });
    const [before, after] = await Promise.all([cutoutPng, cleared].map((png) => sharp(png).raw().toBuffer()));
    let changed = 0;
    let product = 0;
    let raised = 0;
    for (let i = 3; i < before!.length; i += 4) {
      if (before![i]! > 128) product++;
      if (before![i] !== after![i]) changed++;
      if (after![i]! > before![i]!) raised++;
    }
    expect(raised).toBe(0);
    expect(changed / product).toBeGreaterThan(0.7);
    expect(changed / product).toBeLessThan(0.95);
  });
});

describe('the facts about a subject', () => {
  it('include an issue with the position of clear glass', async () => {
    const facts = await tellGlass(findSubjectFacts(matte), photographSpectacles(paper), matte);
    const issue = facts.issues.find(({ code }) => code === 'see_through');
    expect(issue?.detail).toContain('mutations.edge.glass');
    expect(issue?.box).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
    expect(issue!.box!.x).toBeGreaterThan(40);
    expect(issue!.box!.x + issue!.box!.width).toBeLessThan(280);
  });

  it('are unchanged without clear glass', async () => {
    const facts = findSubjectFacts(matte);
    expect(
      await tellGlass(
        facts,
        paint(() => [90, 20, 20]),
        matte,
      ),
    ).toBe(facts);
  });
});
