/**
 * The removal engine for a model file of the operator's own choosing: any ONNX matting or segmentation network that
 * takes one picture and answers one plane, as the JSON beside it describes.
 */

import sharp from 'sharp';
import { PackshotError } from '../../errors.ts';
import type { InferenceSession, Tensor } from '../../onnxruntime.ts';
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { hashFile } from '../models/hash-file.ts';
import type { RemovalEngine } from '../removal-engine.ts';
import {
  cacheNameOf,
  hashDescription,
  type ModelDescription,
  readModelDescription,
} from './onnx-description.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';
import {
  activate,
  doesNotFit,
  findExtremes,
  type InputType,
  makeInputTensor,
  type Plane,
  readPlane,
} from './onnx-tensors.ts';

export interface OnnxSettings extends OnnxSessionSettings {
  /** Path of the `.onnx` file; its description is the `.json` of the same name. */
  readonly modelFile: string;
}

/** The specification's least side of a matte. */
const MIN_SIDE_PX = 16;
/** An activated network may overshoot 0 and 1 a little; a network without its activation is far beyond. */
const OVERSHOOT = 0.05;

interface Network {
  readonly session: InferenceSession;
  readonly description: ModelDescription;
  readonly inputName: string;
  readonly inputType: InputType;
  readonly outputName: string;
}

/**
 * Ready to answer when it resolves: file and description checked against each other, loaded, run once. Rejects with
 * `internal` whose message says what does not fit.
 */
export async function openOnnx(settings: OnnxSettings): Promise<RemovalEngine> {
  const description = await readModelDescription(settings.modelFile);
  await checkHash(settings.modelFile, description);
  const cacheName = cacheNameOf(description);
  const session = await openOnnxSession(
    { cacheName, sha256: description.sha256, load: async () => settings.modelFile },
    settings,
  );
  let network: Network;
  try {
    network = { session, description, ...findEnds(session, description) };
    checkRange(await predictPlane(network, drawDisc()), description.output);
  } catch (error) {
    await session.release();
    throw error;
  }
  return {
    id: 'onnx',
    version: `${cacheName}-${hashDescription(description)}-1`,
    async predictMatte(source, { signal }) {
      signal.throwIfAborted();
      const prepared = await prepare(source, description.input);
      signal.throwIfAborted();
      const plane = await infer(network, prepared.pixels);
      signal.throwIfAborted();
      activate(plane, description.output);
      findExtremes(plane.data);
      return makeMatte(plane, prepared.content, description.input);
    },
    async close() {
      await session.release();
    },
  };
}

async function checkHash(modelFile: string, { sha256 }: ModelDescription): Promise<void> {
  let found: string;
  try {
    found = await hashFile(modelFile);
  } catch (error) {
    throw new PackshotError('internal', "The removal model's file cannot be read.", { cause: error });
  }
  if (found === sha256) return;
  throw new PackshotError(
    'internal',
    "The removal model's file is damaged, or another than its description names.",
    { cause: new Error(`${modelFile} has the SHA-256 ${found}, its description says ${sha256}`) },
  );
}

function findEnds(session: InferenceSession, { input, output }: ModelDescription) {
  const { inputMetadata, outputMetadata } = session;
  const names = inputMetadata.map(({ name }) => name).join(', ');
  if (inputMetadata.length !== 1)
    throw doesNotFit(`the model wants ${inputMetadata.length} inputs (${names}); only one picture is fed`);
  const into = inputMetadata[0]!;
  if (input.name !== undefined && input.name !== into.name)
    throw doesNotFit(`input.name is ${input.name}, but the model's input is ${names}`);
  if (!into.isTensor || !['float32', 'float16', 'uint8'].includes(into.type))
    throw doesNotFit(
      `the model's input is ${into.isTensor ? into.type : 'no tensor'}; float32, float16 and uint8 are fed`,
    );
  if (
    into.type === 'uint8' &&
    (input.mean.some((each) => each !== 0) || input.std.some((each) => each !== 1))
  )
    throw doesNotFit('a uint8 input takes the pixels as they are: set input.mean to 0 and input.std to 1');
  checkShape(into.shape, input);

  const out =
    output.name === undefined
      ? outputMetadata[output.index ?? 0]
      : outputMetadata.find(({ name }) => name === output.name);
  if (!out)
    throw doesNotFit(
      `it has no output ${output.name ?? output.index}; the model answers ${outputMetadata.map(({ name }) => name).join(', ')}`,
    );
  return { inputName: into.name, inputType: into.type as InputType, outputName: out.name };
}

function checkShape(shape: readonly (number | string)[], input: ModelDescription['input']): void {
  const { layout, width, height } = input;
  const wanted = layout === 'nchw' ? [1, 3, height, width] : [1, height, width, 3];
  // A name or a number below 1 stands for a size that is free.
  const free = (size: number | string) => typeof size === 'string' || size < 1;
  if (shape.length !== 0 && shape.length !== 4)
    throw doesNotFit(`the model's input has ${shape.length} dimensions, not 4`);
  if (shape.every((size, i) => free(size) || size === wanted[i])) return;
  throw doesNotFit(
    `the model's input is [${shape.join(', ')}], but input.layout, width and height make [${wanted.join(', ')}]`,
  );
}

interface Prepared {
  readonly pixels: Uint8Array;
  /** Where in the network's picture the photo lies. */
  readonly content: Box;
}

async function prepare(
  source: RgbImage,
  { width, height, fit }: ModelDescription['input'],
): Promise<Prepared> {
  const scale = Math.min(width / source.width, height / source.height);
  const inside =
    fit === 'stretch'
      ? { width, height }
      : {
          width: Math.min(width, Math.max(1, Math.round(source.width * scale))),
          height: Math.min(height, Math.max(1, Math.round(source.height * scale))),
        };
  const x = (width - inside.width) >> 1;
  const y = (height - inside.height) >> 1;
  try {
    const pixels = await sharp(source.data, {
      raw: { width: source.width, height: source.height, channels: 3 },
    })
      // Anti-aliased when it shrinks.
      .resize({ ...inside, fit: 'fill', kernel: 'lanczos3', fastShrinkOnLoad: false })
      // The rim goes on into the bars: a frame of any colour would be an edge that the photo does not have.
      .extend({
        left: x,
        right: width - inside.width - x,
        top: y,
        bottom: height - inside.height - y,
        extendWith: 'copy',
      })
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { pixels, content: { x, y, ...inside } };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be prepared for its cutout.', { cause: error });
  }
}

async function infer(network: Network, pixels: Uint8Array): Promise<Plane> {
  const { session, description, inputName, inputType, outputName } = network;
  let answer: Tensor;
  try {
    const tensor = makeInputTensor(pixels, inputType, description.input);
    // Outputs that nobody asks for cost nothing: the runtime prunes their work.
    const answers = await session.run({ [inputName]: tensor }, [outputName]);
    answer = answers[outputName] as Tensor;
  } catch (error) {
    throw new PackshotError('internal', 'The removal model failed on this photo.', { cause: error });
  }
  return readPlane(answer, description.output, description.input.layout);
}

async function predictPlane(network: Network, source: RgbImage): Promise<Plane> {
  const { pixels } = await prepare(source, network.description.input);
  return infer(network, pixels);
}

/** A wrong activation gives a grey veil or a torn matte on every photo; here it stops the start. */
function checkRange({ data }: Plane, { activation, range }: ModelDescription['output']): void {
  const [low, high] = findExtremes(data);
  const found = `on a test picture the model answers ${low.toFixed(2)} to ${high.toFixed(2)}`;
  if (activation === 'none' && range === 'none' && (low < -OVERSHOOT || high > 1 + OVERSHOOT))
    throw doesNotFit(
      `${found}, beyond 0 to 1: set output.activation to "sigmoid", or output.range to "minmax"`,
    );
  if (activation === 'sigmoid' && low >= 0 && high <= 1)
    throw doesNotFit(`${found}, which is a matte already: set output.activation to "none"`);
}

/** A dark disc on light paper. */
function drawDisc(): RgbImage {
  const side = 64;
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < side * side; i++) {
    const inside = Math.hypot((i % side) - side / 2, Math.floor(i / side) - side / 2) < side / 4;
    data.fill(inside ? 40 : 235, i * 3, i * 3 + 3);
  }
  return { width: side, height: side, data };
}

async function makeMatte(
  { width, height, data }: Plane,
  content: Box,
  input: ModelDescription['input'],
): Promise<Matte> {
  const alpha = Uint8Array.from(data, (share) => Math.round(Math.min(1, Math.max(0, share)) * 255));
  const whole = content.width === input.width && content.height === input.height;
  if (whole && Math.min(width, height) >= MIN_SIDE_PX) return { width, height, data: alpha };
  // The answer may be coarser than the input was.
  const left = Math.min(width - 1, Math.round((content.x * width) / input.width));
  const top = Math.min(height - 1, Math.round((content.y * height) / input.height));
  const part = {
    left,
    top,
    width: Math.min(width - left, Math.max(1, Math.round((content.width * width) / input.width))),
    height: Math.min(height - top, Math.max(1, Math.round((content.height * height) / input.height))),
  };
  const size = { width: Math.max(MIN_SIDE_PX, part.width), height: Math.max(MIN_SIDE_PX, part.height) };
  try {
    const cut = await sharp(alpha, { raw: { width, height, channels: 1 } })
      .extract(part)
      .resize({ ...size, fit: 'fill', kernel: 'cubic', fastShrinkOnLoad: false })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer();
    return { ...size, data: cut };
  } catch (error) {
    throw new PackshotError('internal', "The model's answer could not be made into a matte.", {
      cause: error,
    });
  }
}
