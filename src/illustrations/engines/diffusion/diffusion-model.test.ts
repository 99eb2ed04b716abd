import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackshotError } from '../../../errors.ts';
import { createRandom } from '../../../scenes/seeded-random.ts';
import { type DiffusionSettings, openDiffusionModel } from './diffusion-model.ts';
import {
  colorMix,
  enlarge,
  latentMix,
  ofPromptMean,
  ofTimestep,
  promptTable,
  redCubeIds,
  type TinyFolder,
  wholeTokenizer,
  writeModelFolder,
} from './testing/model-folders.ts';

let root: string;
let folders = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'packshot-diffusion-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const signal = new AbortController().signal;
const canvas = { width: 600, height: 400 };
const request = { prompt: 'A red cube', canvas, seed: 5 };

const write = (changes?: TinyFolder) => writeModelFolder(join(root, `model${folders++}`), changes);
const open = (folder: string, settings: Partial<DiffusionSettings> = {}) =>
  openDiffusionModel({ folder, steps: 1, threads: 1, memory: 'fast', ...settings });

async function paintWith(changes?: TinyFolder, settings?: Partial<DiffusionSettings>, asked = request) {
  const model = await open(await write(changes), settings);
  try {
    return await model.paint(asked, { signal });
  } finally {
    await model.close();
  }
}

async function readPixels(png: Uint8Array) {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  return { data: [...data], width: info.width, height: info.height, channels: info.channels };
}

/**
 * Reference implementation in plain arithmetic: Box-Muller noise, the sigmas of SD-Turbo's schedule, the step x ← x +
 * eps·(next - sigma), and the tiny model's three networks.
 */
function reference(steps: number, { width, height, seed }: { width: number; height: number; seed: number }) {
  let kept = 1;
  const sigmas = Array.from({ length: 1000 }, (_, step) => {
    const root = Math.sqrt(0.00085) + ((Math.sqrt(0.012) - Math.sqrt(0.00085)) * step) / 999;
    kept *= 1 - root ** 2;
    return Math.sqrt(1 / kept - 1);
  });
  const times = { 1: [999], 2: [999, 499], 3: [999, 666, 332], 4: [999, 749, 499, 249] }[steps]!;
  const filled = [...redCubeIds, ...Array.from({ length: 72 }, () => 0)];
  const promptMean = filled.flatMap((id) => promptTable[id]!).reduce((a, b) => a + b, 0) / (77 * 3);

  const plane = width * height;
  const random = createRandom(seed);
  const x: number[] = [];
  while (x.length < 4 * plane) {
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    x.push(radius * Math.cos(angle) * sigmas[times[0]!]!, radius * Math.sin(angle) * sigmas[times[0]!]!);
  }
  times.forEach((time, step) => {
    const sigma = sigmas[time]!;
    const next = step + 1 < times.length ? sigmas[times[step + 1]!]! : 0;
    for (let i = 0; i < plane; i++) {
      const seen = [0, 1, 2, 3].map((channel) => x[channel * plane + i]! / Math.sqrt(sigma ** 2 + 1));
      for (let channel = 0; channel < 4; channel++) {
        const mixed = seen.reduce((sum, value, from) => sum + value * latentMix[channel]![from]!, 0);
        const eps = mixed + ofTimestep * time + ofPromptMean * promptMean;
        x[channel * plane + i]! += eps * (next - sigma);
      }
    }
  });
  const pixels: number[] = [];
  for (let row = 0; row < height * enlarge; row++) {
    for (let column = 0; column < width * enlarge; column++) {
      const at = Math.floor(row / enlarge) * width + Math.floor(column / enlarge);
      for (const mix of colorMix) {
        const value = mix.reduce((sum, share, from) => sum + (share * x[from * plane + at]!) / 0.18215, 0);
        pixels.push(Math.round(Math.min(1, Math.max(0, value / 2 + 0.5)) * 255));
      }
    }
  }
  return pixels;
}

const differences = (one: readonly number[], other: readonly number[]) =>
  one.map((value, at) => Math.abs(value - other[at]!));

describe('a painted picture', () => {
  it.each([1, 2, 3, 4])('matches the reference implementation in %d steps', async (steps) => {
    const { png, width, height, isPromptCut } = await paintWith({}, { steps });
    expect({ width, height, isPromptCut }).toEqual({ width: 12, height: 8, isPromptCut: false });
    const found = await readPixels(png);
    expect(found).toMatchObject({ width: 12, height: 8, channels: 3 });
    const wanted = reference(steps, { width: 6, height: 4, seed: 5 });
    expect(found.data).toEqual(wanted);
    // The picture must not consist of clipped values only, because wrong formulas would produce these too.
    expect(new Set(wanted).size).toBeGreaterThan(30);
  });

  it('is nearly the same from half-precision files', async () => {
    const half = { type: 'float16' } as const;
    const { png } = await paintWith(
      { text: { outputType: 'float16' }, unet: half, decoder: half },
      { steps: 2 },
    );
    const wanted = reference(2, { width: 6, height: 4, seed: 5 });
    const apart = differences((await readPixels(png)).data, wanted);
    expect(Math.max(...apart)).toBeLessThanOrEqual(3);
    expect(Math.max(...apart)).toBeGreaterThan(0);
  });

  it('is the same for 32-bit ids, and for time steps that are float32, a scalar or a single-element array', async () => {
    const wanted = reference(1, { width: 6, height: 4, seed: 5 });
    for (const changes of [
      { text: { idType: 'int32', shape: [1, 77] } },
      { unet: { timestepType: 'float32' } },
      { unet: { timestepShape: [] } },
      { unet: { timestepShape: [1] } },
    ] as const) {
      expect((await readPixels((await paintWith(changes)).png)).data).toEqual(wanted);
    }
  });

  it('is deterministic for a seed, with all networks in memory or one at a time', async () => {
    const folder = await write();
    const [kept, small] = [await open(folder), await open(folder, { memory: 'small' })];
    const first = await kept.paint(request, { signal });
    expect(await kept.paint(request, { signal })).toEqual(first);
    expect(await small.paint(request, { signal })).toEqual(first);
    expect((await kept.paint({ ...request, seed: 6 }, { signal })).png).not.toEqual(first.png);
    expect((await kept.paint({ ...request, prompt: 'a cube' }, { signal })).png).not.toEqual(first.png);
    expect(small.version).toBe(kept.version);
    await Promise.all([kept.close(), small.close()]);
  });

  it("has the canvas' aspect ratio, at the model's training resolution, if the model accepts any size", async () => {
    const free = { unet: { shape: ['batch', 4, 'height', 'width'] } };
    const sizeFor = async (asked: { width: number; height: number }, sample: number) => {
      const files = { 'unet/config.json': JSON.stringify({ sample_size: sample }) };
      const { width, height } = await paintWith({ ...free, files }, {}, { ...request, canvas: asked });
      return [width / enlarge, height / enlarge];
    };
    expect(await sizeFor({ width: 500, height: 500 }, 64)).toEqual([64, 64]);
    expect(await sizeFor({ width: 1080, height: 1920 }, 64)).toEqual([48, 88]);
    expect(await sizeFor({ width: 1600, height: 900 }, 32)).toEqual([40, 24]);
  });

  it('uses scaling factor and prediction type of the configuration files', async () => {
    const files = { 'vae_decoder/config.json': JSON.stringify({ scaling_factor: 0.18215 * 2 }) };
    const decoder = { mix: colorMix.map((row) => row.map((share) => share * 2)) };
    const wanted = reference(1, { width: 6, height: 4, seed: 5 });
    expect((await readPixels((await paintWith({ files, decoder })).png)).data).toEqual(wanted);
    const velocity = {
      'scheduler/scheduler_config.json': JSON.stringify({ prediction_type: 'v_prediction' }),
    };
    const other = await paintWith({ files: velocity });
    expect((await readPixels(other.png)).data).not.toEqual(wanted);
  });

  it('is the same from an export with its networks outside subfolders, or with its tokenizer in one file', async () => {
    const wanted = await paintWith();
    const { makeDecoder, makeTextEncoder, makeUnet } = await import('./testing/tiny-networks.ts');
    const flat = await paintWith({
      files: {
        'text_encoder/model.onnx': undefined,
        'unet/model.onnx': undefined,
        'vae_decoder/model.onnx': undefined,
        'text_encoder.onnx': makeTextEncoder({ table: promptTable }),
        'unet.onnx': makeUnet({ shape: [1, 4, 4, 6], mix: latentMix, ofTimestep, ofPromptMean }),
        'vae_decoder.onnx': makeDecoder({ shape: [1, 4, 4, 6], mix: colorMix, enlarge }),
      },
    });
    expect(flat.png).toEqual(wanted.png);
    const whole = await paintWith({
      files: {
        'tokenizer/vocab.json': undefined,
        'tokenizer/merges.txt': undefined,
        'tokenizer/tokenizer.json': wholeTokenizer,
      },
    });
    expect(whole.png).toEqual(wanted.png);
  });

  it('uses the padding token of special_tokens_map or, without that file, of the tokenizer configuration', async () => {
    const config = JSON.stringify({ pad_token: '<|endoftext|>', model_max_length: 77 });
    const marks = JSON.stringify({ pad_token: { content: '!' } });
    const plain = await paintWith();
    const ended = await paintWith({ files: { 'tokenizer/tokenizer_config.json': config } });
    expect(ended.png).not.toEqual(plain.png);
    const files = { 'tokenizer/tokenizer_config.json': config, 'tokenizer/special_tokens_map.json': marks };
    expect((await paintWith({ files })).png).toEqual(plain.png);
  });

  it('reports a truncated prompt', async () => {
    const long = await paintWith({}, {}, { ...request, prompt: 'red '.repeat(80) });
    expect(long.isPromptCut).toBe(true);
  });

  it('stops between any two networks on abort', async () => {
    const model = await open(await write(), { steps: 4 });
    const stopAtLook = (last: number) => {
      let looks = 0;
      const throwIfAborted = () => {
        if (++looks === last) throw new Error('deadline');
      };
      return { signal: { throwIfAborted } as AbortSignal };
    };
    // The signal is checked before the text encoder, before each of the four steps, before decoding and after it.
    for (let look = 1; look <= 7; look++)
      await expect(model.paint(request, stopAtLook(look))).rejects.toThrow('deadline');
    await expect(model.paint(request, stopAtLook(8))).resolves.toMatchObject({ width: 12 });

    const gone = new AbortController();
    const painting = model.paint(request, { signal: gone.signal });
    gone.abort(new Error('left'));
    await expect(painting).rejects.toThrow('left');
    await model.close();
  });
});

describe('opening a model folder', () => {
  it('derives the version from files and steps', async () => {
    const versionOf = async (changes?: TinyFolder, steps = 1) => {
      const model = await open(await write(changes), { steps });
      await model.close();
      return model.version;
    };
    const plain = await versionOf();
    expect(plain).toMatch(/^diffusion-[0-9a-f]{12}-1-1$/);
    expect(await versionOf()).toBe(plain);
    expect(await versionOf({}, 2)).not.toBe(plain);
    expect(await versionOf({ unet: { ofTimestep: 0.001 } })).not.toBe(plain);
    expect(await versionOf({ files: { 'README.md': 'words' } })).toBe(plain);
  });

  it.each([
    ['text_encoder/model.onnx', /no text_encoder\/model\.onnx or text_encoder\.onnx/],
    ['unet/model.onnx', /no unet\/model\.onnx/],
    ['vae_decoder/model.onnx', /no vae_decoder\/model\.onnx/],
    ['tokenizer/vocab.json', /no tokenizer\/vocab\.json or vocab\.json/],
    ['tokenizer/merges.txt', /no tokenizer\/merges\.txt or merges\.txt/],
  ])('names a missing %s', async (name, message) => {
    await expectRefusal({ files: { [name]: undefined } }, message);
  });

  const config = (value: object) => JSON.stringify(value);
  it.each<[string, TinyFolder, RegExp]>([
    [
      'a damaged network',
      { files: { 'unet/model.onnx': Buffer.from('no model') } },
      /unet could not be loaded/,
    ],
    ['a truncated vocabulary', { files: { 'tokenizer/vocab.json': '{"a":' } }, /vocab\.json is not readable/],
    ['a foreign vocabulary', { files: { 'tokenizer/vocab.json': '{"a":1}' } }, /lacks <\|startoftext\|>/],
    [
      'another scheduler',
      { files: { 'scheduler/scheduler_config.json': config({ _class_name: 'LCMScheduler' }) } },
      /scheduler_config\.json is not supported\. _class_name: only EulerDiscreteScheduler/,
    ],
    [
      'another spacing',
      { files: { 'scheduler/scheduler_config.json': config({ timestep_spacing: 'leading' }) } },
      /timestep_spacing: only "trailing"/,
    ],
    [
      'a unet with an input of another model family',
      { unet: { extraInput: 'text_embeds' } },
      /unet .*also needs text_embeds/,
    ],
    [
      'token ids without a batch dimension',
      { text: { shape: ['length'] } },
      /text_encoder .*input_ids has 1 dimensions, not 2/,
    ],
    ['a unet that takes several pictures at once', { unet: { shape: [2, 4, 4, 6] } }, /takes 2 pictures/],
    [
      'networks of two models',
      { decoder: { shape: [1, 4, 8, 8] } },
      /vae_decoder .*\[1,4,8,8\], but unet makes \[1,4,4,6\]/,
    ],
  ])('rejects %s, and explains the mismatch', async (_, changes, message) => {
    await expectRefusal(changes, message);
  });

  it('rejects a missing folder', async () => {
    await expect(open(join(root, 'gone'))).rejects.toThrow('folder cannot be read');
  });

  it('detects a decoder without three channels, or NaN values, at the first picture', async () => {
    await expect(paintWith({ decoder: { mix: colorMix.slice(0, 2) } })).rejects.toThrow(
      /vae_decoder .*\[1,2,8,12\], not one picture of three channels/,
    );
    await expect(paintWith({ unet: { ofTimestep: Number.NaN } })).rejects.toThrow(/unet .*not numbers/);
  });

  async function expectRefusal(changes: TinyFolder, message: RegExp): Promise<void> {
    const opening = open(await write(changes));
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toBeInstanceOf(PackshotError);
    await expect(opening).rejects.not.toThrow(root);
  }
});
