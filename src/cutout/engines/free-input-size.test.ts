import { describe, expect, it } from 'vitest';
import { InferenceSession, Tensor } from '../../onnxruntime.ts';
import { freeInputSize } from './free-input-size.ts';
import { type HalvingModel, makeHalvingModel, makeTinyModel } from './testing/onnx-model.ts';

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

const whyNot = (model: Omit<HalvingModel, 'side'>) =>
  freeInputSize(makeHalvingModel({ side, ...model }), ends);

describe.each(['four sizes', 'two sizes'] as const)('a freed network whose Resize takes %s', (target) => {
  const original = makeHalvingModel({ side, target });

  it('returns the same output at its original size', async () => {
    const freed = freeInputSize(original, ends);
    expect(freed.isFree).toBe(true);
    const [before, after] = [await run(original, side), await run(freed.model, side)];
    expect(after.size).toEqual([side, side]);
    expect(after.data).toEqual(before.data);
  });

  it('accepts other sizes, unlike the original network', async () => {
    const { model } = freeInputSize(original, ends);
    await expect(run(original, 2 * side)).rejects.toThrow();
    for (const other of [side / 2, 2 * side, 3 * side]) {
      const own = makeHalvingModel({ side: other, target });
      expect((await run(model, other)).data).toEqual((await run(own, other)).data);
    }
  });

  it('no longer computes unused outputs', async () => {
    expect((await run(original, side)).names).toEqual(['plane', 'half']);
    expect((await run(freeInputSize(original, ends).model, side)).names).toEqual(['plane']);
  });
});

describe('a network with a fixed size that cannot be changed', () => {
  it.each([
    ['computes its target size at each run', { target: 'computed' }, 'computes its target size'],
    ['does not state the size before a Resize', { target: 'two sizes', statesSizes: false }, 'is not known'],
    ['may use the size in another node', { target: 'two sizes', lastOperator: 'Flatten' }, 'its Flatten may'],
  ] as const)('is returned unchanged, with the reason, if it %s', (_, model, why) => {
    const freed = whyNot(model);
    expect(freed).toMatchObject({ isFree: false, why: expect.stringContaining(why) });
    expect(freed.model).toEqual(makeHalvingModel({ side, ...model }));
  });

  it('is also reported if the network lacks the given input or output', () => {
    const model = makeHalvingModel({ side, target: 'four sizes' });
    for (const other of [{ input: 'nothing' }, { output: 'nothing' }]) {
      expect(freeInputSize(model, { ...ends, ...other })).toMatchObject({ isFree: false });
    }
  });
});

it('a network without a Resize accepts other sizes once its stated input size is removed', async () => {
  const model = makeTinyModel({ inputShape: [1, 3, side, side], weights: [[1, 0, 0]], bias: [0] });
  const freed = freeInputSize(model, ends);
  expect(freed.isFree).toBe(true);
  expect((await run(freed.model, 2 * side)).size).toEqual([2 * side, 2 * side]);
});

describe('a file that is not a model', () => {
  const model = makeHalvingModel({ side, target: 'two sizes' });

  it.each([
    ['empty', Buffer.of()],
    ['text', Buffer.from('This is no model.')],
    ['truncated', model.subarray(0, model.length - 40)],
  ])('is rejected with an error if it is %s', (_, bytes) => {
    expect(() => freeInputSize(bytes, ends)).toThrow();
  });
});
