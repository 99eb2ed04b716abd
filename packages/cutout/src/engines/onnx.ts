/**
 * The removal engine for a model file chosen by the operator: any ONNX matting or segmentation network that takes one
 * picture and returns one plane, as described by the JSON beside it.
 */
import { access } from 'node:fs/promises';
import { PackshotError } from 'packshot-errors';
import type { Matte, RgbImage } from 'packshot-pixels';
import { hashFile } from '../models/hash-file.ts';
import { isListed } from '../models/listed-models.ts';
import type { InferenceSession } from '../onnxruntime.ts';
import { MIN_SIDE_PX, type RemovalEngine } from '../removal-engine.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { resizePhoto } from '../steps/shrink-photo.ts';
import {
  cacheNameOf,
  hashDescription,
  type ModelDescription,
  readModelDescription,
} from './onnx-description.ts';
import { findEnds } from './onnx-ends.ts';
import { chooseInputSize } from './onnx-input.ts';
import { type OnnxSessionSettings, openOnnxSession } from './onnx-session.ts';
import {
  activate,
  doesNotFit,
  findExtremes,
  type InputType,
  makeInputTensor,
  type Plane,
  readPlane,
  runNetwork,
} from './onnx-tensors.ts';

export interface OnnxSettings extends OnnxSessionSettings {
  /** Path of the `.onnx` file; its description is the `.json` of the same name. */
  readonly modelFile: string;
  /** The name under which the model was installed. The error for a missing file quotes this name. */
  readonly modelName?: string;
}

/**
 * How far outputs may lie outside 0 to 1. After the right activation they lie at most slightly outside; without it, far
 * outside.
 */
const OVERSHOOT = 0.05;

interface Network {
  readonly session: InferenceSession;
  readonly description: ModelDescription;
  readonly inputName: string;
  readonly inputType: InputType;
  readonly outputName: string;
}

/**
 * Resolves once the engine is ready: the file matches its description, and the model was loaded and run once. Rejects
 * with `internal`; the error's message says what does not match.
 */
export async function openOnnx(settings: OnnxSettings): Promise<RemovalEngine> {
  await checkInstalled(settings);
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
    const disc = await resizePhoto(drawDisc(), chooseInputSize(description.input, drawDisc()));
    checkRange(await infer(network, disc), description.output);
  } catch (error) {
    await session.release();
    throw error;
  }
  return {
    id: 'onnx',
    version: `${cacheName}-${hashDescription(description)}-1`,
    async predictMatte(source, { signal }) {
      signal.throwIfAborted();
      const picture = await resizePhoto(source, chooseInputSize(description.input, source));
      signal.throwIfAborted();
      const plane = await infer(network, picture);
      signal.throwIfAborted();
      activate(plane, description.output);
      findExtremes(plane.data);
      return makeMatte(plane);
    },
    async close() {
      await session.release();
    },
  };
}

async function checkInstalled({ modelFile, modelName }: OnnxSettings): Promise<void> {
  if (modelName === undefined) return;
  try {
    await access(modelFile);
  } catch (error) {
    throw new PackshotError(
      'internal',
      isListed(modelName)
        ? `The removal model ${modelName} is not installed. Install it with: packshot models install ${modelName}`
        : `There is no installed removal model ${modelName}; \`packshot models list\` shows installed models, \`packshot models available\` those that can be installed.`,
      { cause: error },
    );
  }
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
    "The removal model's file is damaged, or does not match its description.",
    { cause: new Error(`${modelFile} has the SHA-256 ${found}, its description says ${sha256}`) },
  );
}

async function infer(network: Network, picture: RgbImage): Promise<Plane> {
  const { session, description, inputName, inputType, outputName } = network;
  const tensor = makeInputTensor(picture, inputType, description.input);
  return readPlane(await runNetwork(session, { name: inputName, tensor }, outputName), description.output);
}

async function makeMatte({ width, height, data }: Plane): Promise<Matte> {
  const alpha = Uint8Array.from(data, (share) => Math.round(Math.min(1, Math.max(0, share)) * 255));
  const size = { width: Math.max(MIN_SIDE_PX, width), height: Math.max(MIN_SIDE_PX, height) };
  return enlargeMatte({ width, height, data: alpha }, size);
}

/** A wrong activation makes every matte semi-transparent or torn; this check makes startup fail instead. */
function checkRange({ data }: Plane, { activation, range }: ModelDescription['output']): void {
  const [low, high] = findExtremes(data);
  const found = `on a test picture the model returns ${low.toFixed(2)} to ${high.toFixed(2)}`;
  if (activation === 'none' && range === 'none' && (low < -OVERSHOOT || high > 1 + OVERSHOOT))
    throw doesNotFit(
      `${found}, beyond 0 to 1: set output.activation to "sigmoid", or output.range to "minmax"`,
    );
  if (activation === 'sigmoid' && low >= 0 && high <= 1)
    throw doesNotFit(`${found}, which is already a matte: set output.activation to "none"`);
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
