import { describe, expect, it } from 'vitest';
import { InferenceSession, Tensor } from '../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { makeHalvingModel } from './testing/onnx-model.ts';

const side = 16;
const ends = { input: 'picture', output: 'plane' };

/** All values differ, so that a misplaced pixel is detected. */
function drawPicture(sidePx: number): Tensor {
  const values = Float32Array.from({ length: 3 * sidePx ** 2 }, (_, index) => Math.sin(index * 12.9898));
  return new Tensor('float32', values, [1, 3, sidePx, sidePx]);
}

async function run(model: Uint8Array, sidePx: number) {
  const session = await InferenceSession.create(model, { logSeverityLevel: 4 });
  try {
    const { plane } = await session.run({ picture: drawPicture(sidePx) });
    return { names: session.outputNames, size: plane!.dims.slice(2), data: plane!.data };
  } finally {
    await session.release();
  }
}

describe('a freed network', () => {
  const original = makeHalvingModel(side);

  it('returns the same output at its original size', async () => {
    const [before, after] = [await run(original, side), await run(freeInputSize(original, ends), side)];
    expect(after.size).toEqual([side, side]);
    expect(after.data).toEqual(before.data);
  });

  it('accepts other sizes, unlike the original network', async () => {
    const model = freeInputSize(original, ends);
    await expect(run(original, 2 * side)).rejects.toThrow();
    for (const other of [side / 2, 2 * side, 3 * side])
      expect((await run(model, other)).data).toEqual((await run(makeHalvingModel(other), other)).data);
  });

  it('no longer computes unused outputs', async () => {
    expect((await run(original, side)).names).toEqual(['plane', 'half']);
    expect((await run(freeInputSize(original, ends), side)).names).toEqual(['plane']);
  });
});
