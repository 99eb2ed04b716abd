import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findParts } from '../../../pixels/src/connected-parts.ts';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { describeRemovalEngine, drawBall, readAt } from '../removal-engine.contract.ts';
import { openKeyer } from './keyer.ts';

describeRemovalEngine('keyer', openKeyer);

type Rgb = readonly [number, number, number];

function draw(width: number, height: number, colourAt: (x: number, y: number) => Rgb): RgbImage {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt(x, y), (y * width + x) * 3);
  }
  return { width, height, data };
}

async function key(source: RgbImage) {
  const engine = await openKeyer();
  return engine.predictMatte(source, { signal: new AbortController().signal });
}

/** A box in the middle of a light wall with JPEG artifacts: blurred chroma and ringing. */
async function compressedBox(index: number): Promise<RgbImage> {
  const picture = draw(320, 240, (x, y) =>
    isIn(x, y + 40, 100 + index, 211) && y > 70 ? [173 - 20 * index, 31, 31 + 25 * index] : [233, 231, 226],
  );
  const { data, width, height } = picture;
  const file = await sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
  return { width, height, data: await sharp(file).raw().toBuffer() };
}

/** Deterministic noise, 0 to 1. */
function makeNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const isIn = (x: number, y: number, from: number, to: number): boolean =>
  x >= from && x < to && y >= from && y < to;

describe('keying a plain backdrop', () => {
  it('tolerates light falloff across the paper', async () => {
    const matte = await key(
      draw(240, 240, (x, y) => {
        if (isIn(x, y, 80, 160)) return [40, 90, 60];
        const light = 0.6 + 0.4 * (x / 240) * (y / 240);
        return [230 * light, 210 * light, 160 * light];
      }),
    );
    expect(readAt(matte, 0.5, 0.5)).toBe(255);
    expect(readAt(matte, 0.1, 0.1)).toBe(0);
    expect(readAt(matte, 0.9, 0.9)).toBe(0);
  });

  it('keeps a white area inside the product if the backdrop is clipped to white', async () => {
    const matte = await key(
      draw(240, 240, (x, y) =>
        isIn(x, y, 60, 180) && !isIn(x, y, 100, 140) ? [20, 20, 120] : [255, 255, 255],
      ),
    );
    expect(readAt(matte, 0.5, 0.5)).toBe(255);
  });

  it('opens a hole through which the paper is visible', async () => {
    const matte = await key(
      draw(240, 240, (x, y) =>
        isIn(x, y, 60, 180) && !isIn(x, y, 100, 140) ? [20, 20, 120] : [200, 190, 180],
      ),
    );
    expect(readAt(matte, 0.5, 0.5)).toBe(0);
    expect(readAt(matte, 0.35, 0.5)).toBe(255);
  });

  it('removes a soft shadow and keeps the product that casts it', async () => {
    const matte = await key(
      draw(240, 240, (x, y) => {
        if (isIn(x, y, 70, 130)) return [150, 30, 30];
        const shadow = 1 - 0.25 * Math.exp(-((x - 150) ** 2 + (y - 120) ** 2) / 1500);
        return [235 * shadow, 235 * shadow, 230 * shadow];
      }),
    );
    expect(readAt(matte, 0.42, 0.42)).toBe(255);
    expect(readAt(matte, 0.63, 0.5)).toBe(0);
  });

  it('keeps a product that extends beyond the frame', async () => {
    const matte = await key(
      draw(240, 240, (x, y) => (x >= 90 && x < 150 && y > 100 ? [20, 60, 140] : [240, 240, 235])),
    );
    expect(readAt(matte, 0.5, 0.98)).toBe(255);
    expect(readAt(matte, 0.1, 0.98)).toBe(0);
  });

  it('sets the alpha of an edge pixel to the product’s share of its color', async () => {
    const matte = await key(drawBall(400, 400));
    const soft = matte.data.filter((alpha) => alpha > 20 && alpha < 235).length;
    // About one row of mixed pixels around a circle of radius 100.
    expect(soft).toBeGreaterThan(300);
    expect(soft).toBeLessThan(1500);
  });

  it('is not affected by the noise of a phone’s sensor', async () => {
    const noise = makeNoise(7);
    const ball = drawBall(400, 400);
    const data = ball.data.map((value) => Math.min(255, Math.max(0, value + (noise() - 0.5) * 8)));
    const [clean, grainy] = [await key(ball), await key({ ...ball, data })];
    const error = clean.data.reduce((sum, alpha, i) => sum + Math.abs(alpha - grainy.data[i]!), 0);
    expect(error / clean.data.length).toBeLessThan(0.5);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'leaves no fragments of JPEG ringing beside the product (%i)',
    async (index) => {
      const matte = await key(await compressedBox(index));
      const { parts } = findParts(matte, { min: 1, max: 255, neighbours: 4 });
      expect(parts.map(({ peak }) => peak)).toEqual([255]);
    },
  );

  it('keeps a smaller second product, and a thin part', async () => {
    const matte = await key(
      draw(320, 240, (x, y) => {
        const isSecond = isIn(x, y, 200, 208) && y < 208;
        const isWire = y >= 100 && y < 102 && x >= 140 && x < 260;
        return isIn(x, y, 60, 140) || isSecond || isWire ? [30, 60, 120] : [233, 231, 226];
      }),
    );
    expect(matte.data[204 * 320 + 204]).toBe(255);
    expect(matte.data[101 * 320 + 250]).toBe(255);
  });

  it('finds nothing on a blank wall', async () => {
    const matte = await key(draw(200, 150, (x) => [220 - x / 10, 215 - x / 10, 200 - x / 10]));
    expect(Math.max(...matte.data)).toBe(0);
  });

  it('finds nothing in noise', async () => {
    const noise = makeNoise(3);
    const matte = await key(draw(200, 150, () => [noise() * 255, noise() * 255, noise() * 255]));
    expect(Math.max(...matte.data)).toBe(0);
  });

  it('finds nothing if the border is a pattern', async () => {
    const matte = await key(
      draw(200, 200, (x, y) =>
        isIn(x, y, 70, 130) ? [200, 30, 30] : (x + y) % 16 < 8 ? [250, 250, 250] : [90, 90, 90],
      ),
    );
    expect(Math.max(...matte.data)).toBe(0);
  });
});
