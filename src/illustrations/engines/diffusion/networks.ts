/** The three networks of a diffusion model: opens them, checks that they fit together, and runs them. */

import { PackshotError } from '../../../errors.ts';
import { InferenceSession, type Tensor } from '../../../onnxruntime.ts';
import type { ModelFolder, NetworkName } from './model-folder.ts';
import { makeTensor, type NumberType, numberTypes, readNumbers } from './network-tensors.ts';

export interface NetworkSettings {
  /** CPU threads for one run, at least 1. */
  readonly threads: number;
  /**
   * `fast` keeps all networks and their memory arenas for the next picture. `small` keeps at most one network in
   * memory: it opens each network only for its run, and reads the files again for each picture.
   */
  readonly memory: 'fast' | 'small';
}

/** A multidimensional array. Along `data`, the last dimension varies fastest. */
export interface NumberArray {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** The shape of a latent picture; `width` and `height` are undefined if the graph accepts any size. */
export interface LatentShape {
  readonly channels: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export interface Networks {
  readonly latent: LatentShape;
  /** Number of token IDs that the text encoder requires; undefined if it accepts any number. */
  readonly promptLength: number | undefined;
  encodePrompt(ids: readonly number[]): Promise<NumberArray>;
  /** Returns the network's prediction for a latent at this time step, in the size of the latent. */
  predict(latent: NumberArray, timestep: number, prompt: NumberArray): Promise<Float32Array>;
  /** Returns three color planes: -1 is black, and 1 is white; values beyond are possible. */
  decode(latent: NumberArray): Promise<NumberArray>;
  close(): Promise<void>;
}

interface Fed {
  readonly data: Float32Array | readonly number[];
  readonly dims: readonly number[];
}

interface Port {
  readonly name: string;
  readonly type: NumberType;
  /** The dimensions; empty for a scalar, or if not specified. A name or a number below 1 stands for a free size. */
  readonly shape: readonly (number | string)[];
}

interface Ports {
  readonly inputs: Readonly<Record<string, Port>>;
  readonly output: string;
}

interface Expected {
  /** Number of dimensions of each input, by the input's name in optimum's exports; undefined if the number varies. */
  readonly inputs: Readonly<Record<string, number | undefined>>;
  /** Name of the output in optimum's exports. If no output has this name, the first output is used instead. */
  readonly output: string;
}

/** Names and shapes as optimum exports them (huggingface/optimum, exporters/onnx/model_configs.py). */
const expected: Readonly<Record<NetworkName, Expected>> = {
  text_encoder: { inputs: { input_ids: 2 }, output: 'last_hidden_state' },
  // A time step is a scalar or an array with one dimension.
  unet: { inputs: { sample: 4, timestep: undefined, encoder_hidden_states: 3 }, output: 'out_sample' },
  vae_decoder: { inputs: { latent_sample: 4 }, output: 'sample' },
};

/** Rejects with `internal`; the message names the network and what does not fit. */
export async function openNetworks(folder: ModelFolder, settings: NetworkSettings): Promise<Networks> {
  const kept = new Map<NetworkName, InferenceSession>();
  const close = async (): Promise<void> => {
    for (const session of kept.values()) await session.release();
    kept.clear();
  };

  /** Runs `work` on a network. Opens the network for this call, unless it is already open. */
  async function using<T>(name: NetworkName, work: (session: InferenceSession) => Promise<T>): Promise<T> {
    const held = kept.get(name);
    if (held) return work(held);
    const session = await openSession(folder.graphs[name], name, settings);
    if (settings.memory === 'fast') kept.set(name, session);
    try {
      return await work(session);
    } finally {
      if (settings.memory === 'small') await session.release();
    }
  }

  const look = (name: NetworkName) => using(name, async (session) => findPorts(session, name));
  let ports: Record<NetworkName, Ports>;
  try {
    ports = {
      text_encoder: await look('text_encoder'),
      unet: await look('unet'),
      vae_decoder: await look('vae_decoder'),
    };
    checkShapes(ports);
  } catch (error) {
    await close();
    throw error;
  }

  async function run(name: NetworkName, feeds: Record<string, Fed>): Promise<NumberArray> {
    const { inputs, output } = ports[name];
    const tensors = Object.entries(feeds).map(([input, { data, dims }]) => [
      input,
      makeTensor(data, inputs[input]!.type, dims),
    ]);
    return using(name, (session) => infer(session, name, Object.fromEntries(tensors), output));
  }

  return {
    latent: readLatentShape(ports.unet.inputs.sample!),
    promptLength: readSize(ports.text_encoder.inputs.input_ids!.shape[1]),
    encodePrompt: (ids) => run('text_encoder', { input_ids: { data: ids, dims: [1, ids.length] } }),
    async predict(latent, timestep, prompt) {
      const answer = await run('unet', {
        sample: latent,
        timestep: { data: [timestep], dims: ports.unet.inputs.timestep!.shape.length === 0 ? [] : [1] },
        encoder_hidden_states: prompt,
      });
      if (answer.data.length === latent.data.length) return answer.data;
      throw doesNotFit('unet', `it returns [${answer.dims}] for a latent picture of [${latent.dims}]`);
    },
    async decode(latent) {
      const answer = await run('vae_decoder', { latent_sample: latent });
      const [count, channels] = answer.dims;
      if (answer.dims.length === 4 && count === 1 && channels === 3) return answer;
      throw doesNotFit('vae_decoder', `it returns [${answer.dims}], not one picture of three channels`);
    },
    close,
  };
}

async function openSession(
  graph: string,
  name: NetworkName,
  { threads, memory }: NetworkSettings,
): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(graph, {
      executionProviders: ['cpu'],
      executionMode: 'sequential',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      enableCpuMemArena: memory === 'fast',
      enableMemPattern: false,
      // The level `all` makes a second copy of the weights, repacked for the CPU.
      graphOptimizationLevel: memory === 'fast' ? 'all' : 'extended',
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw new PackshotError(
      'internal',
      `The diffusion model's ${name} could not be loaded: its file, or the weights beside it, are damaged, missing or not made for CPUs.`,
      { cause: error },
    );
  }
}

function findPorts({ inputMetadata, outputMetadata }: InferenceSession, name: NetworkName): Ports {
  const wanted = expected[name];
  const available = inputMetadata.map((each) => each.name).join(', ');
  const inputs: Record<string, Port> = {};
  for (const [input, dimensions] of Object.entries(wanted.inputs)) {
    const found = inputMetadata.find((each) => each.name === input);
    if (!found) throw doesNotFit(name, `it has no input ${input} (it takes ${available})`);
    const type = found.isTensor ? numberTypes.find((known) => known === found.type) : undefined;
    if (!found.isTensor || !type)
      throw doesNotFit(
        name,
        `its ${input} is ${found.isTensor ? found.type : 'no tensor'}; supported are ${numberTypes.join(', ')}`,
      );
    if (dimensions !== undefined && found.shape.length > 0 && found.shape.length !== dimensions)
      throw doesNotFit(name, `its ${input} has ${found.shape.length} dimensions, not ${dimensions}`);
    inputs[input] = { name: input, type, shape: found.shape };
  }
  const other = inputMetadata.find((each) => !(each.name in inputs));
  if (other) throw doesNotFit(name, `it also needs ${other.name}, unlike networks of SD-Turbo's kind`);
  const output = outputMetadata.find((each) => each.name === wanted.output) ?? outputMetadata[0];
  if (!output) throw doesNotFit(name, 'it has no output');
  return { inputs, output: output.name };
}

function checkShapes(ports: Record<NetworkName, Ports>): void {
  const sample = ports.unet.inputs.sample!;
  const latent = ports.vae_decoder.inputs.latent_sample!;
  const batch = readSize(sample.shape[0]) ?? 1;
  if (batch !== 1) throw doesNotFit('unet', `it takes ${batch} pictures at once instead of one`);
  for (const axis of [1, 2, 3]) {
    const made = readSize(sample.shape[axis]);
    const taken = readSize(latent.shape[axis]);
    if (made !== undefined && taken !== undefined && made !== taken)
      throw doesNotFit(
        'vae_decoder',
        `it takes latent pictures of [${latent.shape}], but unet makes [${sample.shape}]`,
      );
  }
}

const readSize = (size: number | string | undefined): number | undefined =>
  typeof size === 'number' && size >= 1 ? size : undefined;

/** The default of 4 channels is that of every Stable Diffusion up to SDXL (Rombach et al. 2022, arXiv 2112.10752). */
const readLatentShape = ({ shape }: Port): LatentShape => ({
  channels: readSize(shape[1]) ?? 4,
  height: readSize(shape[2]),
  width: readSize(shape[3]),
});

async function infer(
  session: InferenceSession,
  name: NetworkName,
  feeds: Record<string, Tensor>,
  output: string,
): Promise<NumberArray> {
  let answer: Tensor;
  try {
    const answers = await session.run(feeds, [output]);
    answer = answers[output] as Tensor;
  } catch (error) {
    throw new PackshotError('internal', `The diffusion model's ${name} failed on its input.`, {
      cause: error,
    });
  }
  const data = readNumbers(answer);
  if (!data) throw doesNotFit(name, `it returns ${answer.type} instead of float32 or float16`);
  if (!data.every(Number.isFinite))
    throw new PackshotError(
      'internal',
      `The diffusion model's ${name} returned values that are not numbers, as half-precision models do when they overflow.`,
    );
  return { data, dims: answer.dims };
}

function doesNotFit(name: NetworkName, what: string): PackshotError {
  return new PackshotError('internal', `The diffusion model's ${name} does not fit: ${what}.`);
}
