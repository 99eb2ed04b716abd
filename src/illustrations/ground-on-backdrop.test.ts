import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderTarget } from '../rendering/render-target.ts';
import { drawBackdropPlate, type GroundOnBackdrop, groundOnBackdrop } from './ground-on-backdrop.ts';

const target = { ...renderTarget('preview', 'png'), longEdgePx: 240 };

/** A red block of 60×100 px in a photo of 100×120 px. */
let cutoutPng: Buffer;
const boundingBox = { x: 20, y: 10, width: 60, height: 100 };

beforeAll(async () => {
  const data = Buffer.alloc(100 * 120 * 4);
  for (let y = 10; y < 110; y++) {
    for (let x = 20; x < 80; x++) data.set([200, 20, 30, 255], 4 * (y * 100 + x));
  }
  cutoutPng = await sharp(data, { raw: { width: 100, height: 120, channels: 4 } })
    .png()
    .toBuffer();
});

/** A JPEG with a blue strip at the top. Below it, `gray(u)` is the gray level of a column; u: 0 (left) to 1 (right). */
async function makeBackdrop(width: number, height: number, gray: (u: number) => number): Promise<Uint8Array> {
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const level = gray(x / width);
    data.set(y < height / 4 ? [0, 0, 255] : [level, level, level], 3 * i);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
}

async function draw(asked: Partial<GroundOnBackdrop> & { readonly gray?: (u: number) => number } = {}) {
  const { gray = () => 180, ...rest } = asked;
  const picture = await groundOnBackdrop({
    cutoutPng,
    boundingBox,
    touchesEdges: [],
    madeBy: 'composite',
    backdrop: { bytes: await makeBackdrop(300, 300, gray) },
    ratio: '1:1',
    target,
    layout: {},
    shadow: {},
    edge: {},
    signal: new AbortController().signal,
    ...rest,
  });
  const { data, info } = await sharp(picture.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): readonly number[] =>
    Array.from(data.subarray(3 * (y * info.width + x), 3 * (y * info.width + x) + 3));
  /** The rows whose middle pixel shows the product. */
  const rows = Array.from({ length: info.height }, (_, y) => y).filter(
    (y) => at(120, y)[0]! > 1.5 * at(120, y)[1]!,
  );
  return { ...picture, at, top: rows[0]!, foot: rows.at(-1)! };
}

describe('groundOnBackdrop', () => {
  it('places the product in the lower part of the canvas, unchanged', async () => {
    const { at, top, foot, width, height } = await draw();
    expect([width, height]).toEqual([240, 240]);
    expect(foot).toBeGreaterThan(0.66 * 240);
    expect(foot).toBeLessThan(0.86 * 240);
    expect((foot - top) / 240).toBeCloseTo(0.56, 1);
    expect(at(120, top + 40)).toEqual([200, 20, 30]);
  });

  it('casts a shadow toward the darker side of the floor, and adds a contact shadow below the product', async () => {
    const { at, foot } = await draw({ gray: (u) => 230 - 110 * u });
    const bare = await draw({ gray: (u) => 230 - 110 * u, shadow: { kind: 'none' } });
    const kept = (x: number, y: number): number => at(x, y)[0]! / bare.at(x, y)[0]!;
    expect(kept(166, foot - 6)).toBeLessThan(kept(73, foot - 6) - 0.1);
    expect(kept(120, foot + 2)).toBeLessThan(0.8);
    const turned = await draw({ gray: (u) => 120 + 110 * u });
    const bareTurned = await draw({ gray: (u) => 120 + 110 * u, shadow: { kind: 'none' } });
    const left = turned.at(73, foot - 6)[0]! / bareTurned.at(73, foot - 6)[0]!;
    const right = turned.at(166, foot - 6)[0]! / bareTurned.at(166, foot - 6)[0]!;
    expect(left).toBeLessThan(right - 0.1);
  });

  it('weakens the shadow on request', async () => {
    const { at, foot } = await draw({ shadow: { strength: 0.2 } });
    const usual = await draw();
    expect(at(120, foot + 2)[0]).toBeGreaterThan(usual.at(120, foot + 2)[0]! + 20);
  });

  it('if the product is cropped at the bottom, places it on the lower edge of the canvas, without a shadow', async () => {
    const { at, foot } = await draw({ touchesEdges: ['bottom'] });
    expect(foot).toBe(239);
    expect(Math.abs(at(30, 235)[0]! - 180)).toBeLessThanOrEqual(2);
  });

  it('keeps the lower part of a tall backdrop, with its floor', async () => {
    const { at } = await draw({ backdrop: { bytes: await makeBackdrop(300, 600, () => 180) } });
    expect(Math.abs(at(5, 5)[2]! - at(5, 5)[0]!)).toBeLessThan(4);
  });

  it('is deterministic to the byte', async () => {
    const [one, other] = await Promise.all([draw(), draw()]);
    expect(one.bytes.equals(other.bytes)).toBe(true);
  });

  it('rejects an invalid picture with the error of the image reader', async () => {
    await expect(draw({ backdrop: { bytes: Buffer.from('no picture') } })).rejects.toMatchObject({
      code: 'unsupported_image_format',
    });
  });
});

describe('drawBackdropPlate', () => {
  it('shows the whole backdrop', async () => {
    const bytes = await makeBackdrop(400, 300, () => 180);
    const whole = await sharp(
      await drawBackdropPlate({
        source: bytes,
        target: { ...renderTarget('preview', 'webp'), longEdgePx: 200 },
      }),
    ).metadata();
    expect([whole.format, whole.width, whole.height]).toEqual(['webp', 200, 150]);
  });

  it('shows transparent pixels as white', async () => {
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer();
    const plate = await drawBackdropPlate({ source: bytes, target: { ...target, longEdgePx: 40 } });
    const { data } = await sharp(plate).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(Array.from(data.subarray(0, 3))).toEqual([255, 255, 255]);
  });
});
