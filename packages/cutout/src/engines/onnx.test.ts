import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackshotError } from '../../../errors/index.ts';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { describeRemovalEngine, readAt } from '../removal-engine.contract.ts';
import { openOnnx } from './onnx.ts';
import { makeTinyModel, type TinyModel } from './testing/onnx-model.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-onnx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const side = 32;
const asIs = {
  width: side,
  height: side,
  mean: [0, 0, 0],
  std: [1, 1, 1],
};
const planar = [1, 3, side, side] as const;
const plain = { activation: 'none' };

let models = 0;
interface Written {
  readonly input?: object;
  readonly output?: object;
  readonly description?: object;
  readonly bytes?: Buffer;
}

async function write(model: TinyModel, { input, output, description, bytes }: Written = {}): Promise<string> {
  const modelFile = join(folder, `tiny${models++}.onnx`);
  const file = bytes ?? makeTinyModel(model);
  await writeFile(modelFile, file);
  const told = {
    name: 'tiny',
    input: { ...asIs, ...input },
    output: output ?? plain,
    licence: 'none: made by a test',
    source: 'this test',
    sha256: createHash('sha256').update(file).digest('hex'),
    ...description,
  };
  await writeFile(modelFile.replace('.onnx', '.json'), JSON.stringify(told));
  return modelFile;
}

const open = (modelFile: string) => openOnnx({ modelFile, threads: 1, cacheDir: join(folder, 'cache') });

/** Alpha in the center of the matte for a photo of one color. */
async function answerTo(color: readonly [number, number, number], model: TinyModel, written?: Written) {
  const engine = await open(await write(model, written));
  try {
    return readAt(await engine.predictMatte(fill(40, 30, color), { signal }), 0.5, 0.5);
  } finally {
    await engine.close();
  }
}

function fill(width: number, height: number, color: readonly [number, number, number]): RgbImage {
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 3 }, (_, i) => color[i % 3]!),
  };
}

const red: TinyModel = { inputShape: planar, weights: [[1, 0, 0]], bias: [0] };
const color = [200, 100, 50] as const;
const sigmoid = (value: number) => Math.round(255 / (1 + Math.exp(-value)));

/** Dark pixels are subject: a logit of 20 for black, -20 for white. */
const dark: TinyModel = { inputShape: planar, weights: [[0, -40, 0]], bias: [20] };
describeRemovalEngine('onnx', async () =>
  open(
    await write(
      { ...dark, inputShape: [1, 3, 128, 128] },
      { input: { width: 128, height: 128 }, output: { activation: 'sigmoid' } },
    ),
  ),
);

describe('the input of an onnx model', () => {
  it('has the channels in the order red, green, blue', async () => {
    expect(await answerTo(color, red)).toBe(200);
    expect(await answerTo(color, { ...red, weights: [[0, 1, 0]] })).toBe(100);
    const blueFirst = { input: { colorOrder: 'bgr', layout: 'nchw', fit: 'stretch' } };
    await expect(answerTo(color, red, blueFirst)).rejects.toThrow('colorOrder: must be "rgb" or absent');
  });

  it('has the mean subtracted and is then divided by the standard deviation, per channel', async () => {
    const input = { mean: [0.2, 0.1, 0.05], std: [0.8, 0.5, 0.25] };
    for (const [weights, channel] of [
      [[1, 0, 0], 0],
      [[0, 1, 0], 1],
      [[0, 0, 1], 2],
    ] as const) {
      const told = (color[channel] / 255 - input.mean[channel]!) / input.std[channel]!;
      const answer = await answerTo(color, { ...red, weights: [weights] }, { input, output: stretch });
      // The min-max stretch turns a constant output into 0, so the value itself is checked through a sigmoid.
      expect(answer).toBe(0);
      const seen = await answerTo(
        color,
        { ...red, weights: [weights], bias: [-0.6] },
        { input, output: { activation: 'sigmoid' } },
      );
      expect(seen).toBe(sigmoid(told - 0.6));
    }
  });
  const stretch = { activation: 'none', range: 'minmax' };

  it('is half precision if the model requires it', async () => {
    expect(await answerTo(color, { ...red, inputType: 'float16' })).toBe(200);
    await expect(open(await write({ ...red, inputType: 'uint8' }))).rejects.toThrow(
      /input is uint8; float32/,
    );
  });

  it('follows the photo’s size and aspect ratio if neither model nor description fixes them', async () => {
    const dynamic = { multipleOf: 16, min: 32, max: 128 };
    const free = { width: undefined, height: undefined, dynamic };
    const engine = await open(await write({ ...red, inputShape: ['batch', 3, 'h', 'w'] }, { input: free }));
    expect(await engine.predictMatte(fill(90, 60, color), { signal })).toMatchObject({
      width: 96,
      height: 64,
    });
    expect(await engine.predictMatte(fill(60, 300, color), { signal })).toMatchObject({
      width: 32,
      height: 128,
    });
    await engine.close();
    await expect(open(await write(red, { input: free }))).rejects.toThrow(/a fixed size: describe it by/);
  });

  it('has the described size if the model does not fix one', async () => {
    const engine = await open(
      await write(
        { ...red, inputShape: ['batch', 3, 'height', 'width'] },
        { input: { width: 48, height: 24 } },
      ),
    );
    expect(await engine.predictMatte(fill(90, 60, color), { signal })).toMatchObject({
      width: 48,
      height: 24,
    });
    await engine.close();
  });
});

describe('the matte from an onnx model’s output', () => {
  it('has a sigmoid applied if the description says so', async () => {
    const model: TinyModel = { ...red, weights: [[4, 0, 0]], bias: [-2] };
    expect(await answerTo(color, model, { output: { activation: 'sigmoid' } })).toBe(
      sigmoid((200 / 255) * 4 - 2),
    );
  });

  it('is the described channel of the softmax over all channels', async () => {
    const model: TinyModel = {
      ...red,
      weights: [
        [0, 0, 0],
        [1, 0, 0],
      ],
      bias: [0, 500],
    };
    // The exponential of 500 overflows single precision; the softmax must not.
    expect(await answerTo(color, model, { output: { activation: 'softmax', channel: 1 } })).toBe(255);
    const even: TinyModel = { ...model, bias: [0, 0] };
    expect(await answerTo(color, even, { output: { activation: 'softmax', channel: 1 } })).toBe(
      sigmoid(200 / 255),
    );
  });

  it('is stretched to the whole range if the description says `minmax`', async () => {
    const engine = await open(
      await write(
        { ...red, weights: [[0.1, 0, 0]], bias: [7] },
        { output: { activation: 'none', range: 'minmax' } },
      ),
    );
    const { data } = await engine.predictMatte(ramp(side, side), { signal });
    expect([Math.min(...data), Math.max(...data)]).toEqual([0, 255]);
    await engine.close();
  });

  it('is read from a half-precision output, and from an output other than the first', async () => {
    expect(await answerTo(color, { ...red, outputType: 'float16' })).toBe(200);
    const second: TinyModel = { ...red, leadingOutputs: 2 };
    expect(await answerTo(color, second, { output: { ...plain, index: 2 } })).toBe(200);
    expect(await answerTo(color, second, { output: { ...plain, name: 'plane' } })).toBe(200);
    expect(await answerTo(color, second)).toBe(0);
  });
});

describe('opening an onnx model', () => {
  it('results in a version that depends on the described input, but not on the license', async () => {
    const versions = await Promise.all(
      [{}, { licence: 'another' }, { input: { ...asIs, mean: [0, 0, 0.1] } }].map(async (description) => {
        const engine = await open(await write(red, { description }));
        await engine.close();
        return engine.version;
      }),
    );
    expect(versions[0]).toMatch(/^onnx-[0-9a-f]{12}-[0-9a-f]{8}-1$/);
    expect(versions[1]).toBe(versions[0]);
    expect(versions[2]).not.toBe(versions[0]);
  });

  it('keeps an optimized copy, replaces a damaged one, and needs none if the folder cannot be written', async () => {
    const modelFile = await write(dark, { output: { activation: 'sigmoid' } });
    const cacheDir = join(folder, 'own-cache');
    await (await openOnnx({ modelFile, threads: 1, cacheDir })).close();
    const copies = await readdir(cacheDir);
    expect(copies).toEqual([expect.stringMatching(/^onnx-[0-9a-f]{12}-[0-9a-f]{16}-[0-9a-f]{64}\.onnx$/)]);
    await writeFile(join(cacheDir, copies[0]!), 'torn');
    await (await openOnnx({ modelFile, threads: 1, cacheDir })).close();
    expect(await readdir(cacheDir)).toEqual(copies);
    await (await openOnnx({ modelFile, threads: 1, cacheDir: modelFile })).close();
  });

  it('rejects a damaged, truncated or missing file', async () => {
    const damaged = await write(red);
    await writeFile(damaged, makeTinyModel({ ...red, bias: [1] }));
    await expect(open(damaged)).rejects.toThrow(/damaged, or does not match/);
    await expect(open(await write(red, { bytes: makeTinyModel(red).subarray(0, 60) }))).rejects.toThrow(
      'could not be loaded',
    );
    await expect(open(await write(red, { bytes: Buffer.from('no model') }))).rejects.toBeInstanceOf(
      PackshotError,
    );
    await expect(open(join(folder, 'gone.onnx'))).rejects.toThrow('no readable description');
  });

  it('rejects a model that is not installed, and names the command to install it if it is among the available models', async () => {
    const openNamed = (modelName: string) =>
      openOnnx({ modelFile: join(folder, 'gone.onnx'), modelName, threads: 1, cacheDir: folder });
    await expect(openNamed('birefnet-lite')).rejects.toThrow(
      'birefnet-lite is not installed. Install it with: packshot models install birefnet-lite',
    );
    await expect(openNamed('mine')).rejects.toThrow('no installed removal model mine');
  });

  it('fails if its provider is unavailable, instead of falling back to the CPU', async () => {
    // A provider that this platform lacks: CoreML exists only on macOS, and DirectML does not exist there.
    const provider = process.platform === 'darwin' ? 'dml' : 'coreml';
    const modelFile = await write(red);
    const opening = openOnnx({ modelFile, threads: 1, cacheDir: join(folder, 'cache'), provider });
    await expect(opening).rejects.toBeInstanceOf(PackshotError);
    await expect(opening).rejects.toThrow(`REMOVAL_PROVIDER=${provider}`);
  });

  it.each<[string, TinyModel, Written, RegExp]>([
    ['another size', red, { input: { width: 64 } }, /\[1, 3, 32, 32\].*\[1, 3, 32, 64\]/],
    ['another input name', red, { input: { name: 'photo' } }, /input\.name is photo.*picture/],
    ['two inputs', { ...red, extraInputs: 1 }, {}, /has 2 inputs \(picture, extra0\)/],
    ['an unknown output name', red, { output: { ...plain, name: 'alpha' } }, /no output alpha.*plane/],
    [
      'several channels, none of them described',
      {
        ...red,
        weights: [
          [1, 0, 0],
          [0, 1, 0],
        ],
        bias: [0, 0],
      },
      {},
      /output\.channel/,
    ],
    ['a channel out of range', red, { output: { ...plain, channel: 1 } }, /channel is 1.*1 channels/],
    ['logits mistaken for a matte', { ...red, bias: [-9] }, {}, /-8\.\d+ to -8\.\d+, beyond.*"sigmoid"/],
    ['an output of NaN', { ...red, bias: [Number.NaN] }, {}, /not numbers/],
    ['a matte mistaken for logits', red, { output: { activation: 'sigmoid' } }, /already a matte.*"none"/],
  ])('refuses a model with %s, and says what would match', async (_, model, written, message) => {
    const opening = open(await write(model, written));
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(folder);
  });
});

/** Black on the left, red on the right, in every row. */
function ramp(width: number, height: number): RgbImage {
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) data[i * 3] = Math.round(((i % width) / (width - 1)) * 255);
  return { width, height, data };
}
