/** What every removal engine promises, as checks for any test runner: `docs/engines.md`, "Your own engine". */
import assert from 'node:assert/strict';

interface Photo {
  readonly width: number;
  readonly height: number;
  /** RGB, a byte for each channel. */
  readonly data: Uint8Array;
}

/** 255 is product; a byte for each pixel. Both sides have 16 px or more. */
interface Matte {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** What a file for `REMOVAL_ENGINE` exports, or what the function that it exports returns. */
export interface RemovalEngine {
  readonly id: string;
  readonly version: string;
  predictMatte(photo: Photo, options: { readonly signal: AbortSignal }): Promise<Matte>;
  close(): Promise<void>;
}

const predict = (engine: RemovalEngine, photo: Photo): Promise<Matte> =>
  engine.predictMatte(photo, { signal: new AbortController().signal });

/** `for (const { promise, check } of engineContract) test(promise, () => check(engine))`; `check` rejects if it is broken. */
export const engineContract: readonly {
  readonly promise: string;
  readonly check: (engine: RemovalEngine) => Promise<void>;
}[] = [
  {
    promise: 'has an id and a version, which are texts',
    async check({ id, version }) {
      for (const text of [id, version]) assert.ok(typeof text === 'string' && text !== '');
    },
  },
  {
    promise: 'finds a dark ball on white paper, and not the paper',
    async check(engine) {
      const matte = await predict(engine, drawBall(300, 200));
      assertForm(matte);
      assert.ok(readAt(matte, 0.5, 0.5) > 240, 'the ball is not in the matte');
      for (const x of [0.02, 0.98])
        for (const y of [0.02, 0.98]) assert.ok(readAt(matte, x, y) < 15, 'the paper is in the matte');
      const share = matte.data.reduce((sum, alpha) => sum + alpha, 0) / 255 / matte.data.length;
      assert.ok(Math.abs(share - (Math.PI * 50 ** 2) / (300 * 200)) < 0.05, `the matte covers ${share}`);
    },
  },
  {
    promise: 'returns the same matte for the same photo twice, and does not change the photo',
    async check(engine) {
      const ball = drawBall(300, 200);
      assert.deepEqual(await predict(engine, ball), await predict(engine, ball));
      assert.deepEqual(ball, drawBall(300, 200));
    },
  },
  {
    promise: 'returns a matte for the smallest and the narrowest photos',
    async check(engine) {
      for (const [width, height] of [
        [16, 16],
        [16, 900],
        [900, 16],
      ] as const)
        assertForm(await predict(engine, drawBall(width, height)));
    },
  },
  {
    promise: 'rejects with the reason of an aborted signal',
    async check(engine) {
      const reason = new Error('enough');
      const call = engine.predictMatte(drawBall(64, 64), { signal: AbortSignal.abort(reason) });
      await assert.rejects(call, (error) => error === reason);
    },
  },
];

function assertForm({ width, height, data }: Matte): void {
  assert.equal(data.length, width * height, 'a matte has one byte for each pixel');
  assert.ok(Math.min(width, height) >= 16, 'a matte has sides of 16 px or more');
}

/** A shaded dark red ball with a radius of a quarter of the shorter side, on paper that darkens toward the bottom. */
export function drawBall(width: number, height: number): Photo {
  const data = new Uint8Array(width * height * 3);
  const radius = Math.min(width, height) / 4;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p += 3) {
      const u = (x + 0.5 - width / 2) / radius;
      const v = (y + 0.5 - height / 2) / radius;
      const share = Math.min(1, Math.max(0, (1 - Math.hypot(u, v)) * radius + 0.5));
      const paper = 245 - (20 * y) / height;
      const light = 0.6 + 0.4 * Math.max(0, 1 - Math.hypot(u + 0.4, v + 0.4));
      data[p] = share * 150 * light + (1 - share) * paper;
      data[p + 1] = share * 30 * light + (1 - share) * paper;
      data[p + 2] = share * 40 * light + (1 - share) * paper;
    }
  }
  return { width, height, data };
}

/** The matte's value at a position, given as coordinates from 0 to 1. */
export function readAt(matte: Matte, x: number, y: number): number {
  return matte.data[Math.floor(y * matte.height) * matte.width + Math.floor(x * matte.width)]!;
}
