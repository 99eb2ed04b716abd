import { expect, it } from 'vitest';
import { InferenceSession, Tensor } from '../onnxruntime.ts';
import { makeHalfPrecisionModel, makeTinyModel } from './testing/onnx-model.ts';
import { widenNumbers } from './widen-numbers.ts';

const side = 4;
const picture = Float32Array.from({ length: 3 * side ** 2 }, (_, index) => Math.sin(index + 1));

async function run(model: Uint8Array): Promise<Float32Array> {
  const session = await InferenceSession.create(model, { logSeverityLevel: 4 });
  try {
    const { plane } = await session.run({ picture: new Tensor('float32', picture, [1, 3, side, side]) });
    return plane!.data as Float32Array;
  } finally {
    await session.release();
  }
}

it('a half-precision network computes the same in single precision', async () => {
  const model = makeHalfPrecisionModel(side);
  const wide = widenNumbers(model);
  const weights = Buffer.from(Float32Array.of(0.25, 0.5, 0.25).buffer);
  expect([model, wide].map((bytes) => Buffer.from(bytes).includes(weights))).toEqual([false, true]);
  const planes = await Promise.all([run(model), run(wide)]);
  for (let i = 0; i < side ** 2; i++) {
    const [red, green, blue] = [0, 1, 2].map((channel) => picture[i + channel * side ** 2]!);
    const exact = 0.25 * red! + 0.5 * green! + 0.25 * blue! + 0.5;
    for (const plane of planes) expect(plane[i]).toBeCloseTo(exact, 3);
  }
});

it('a single-precision network stays the same', () => {
  const model = makeTinyModel({ inputShape: [1, 3, side, side], weights: [[1, 0, 0]], bias: [0] });
  expect(Buffer.compare(widenNumbers(model), model)).toBe(0);
});
