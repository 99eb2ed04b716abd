/** Text-to-image with a local few-step diffusion model such as SD-Turbo (Sauer et al. 2023, arXiv 2311.17042). */
import sharp from 'sharp';
import { PackshotError } from '../../../errors.ts';
import type { CanvasSize } from '../../../pixels.ts';
import { createClipTokenizer } from './clip-tokenizer.ts';
import { makeGaussianNoise, planEulerSteps, scaleForNetwork, takeEulerStep } from './euler-steps.ts';
import { type ModelFolder, readModelFolder } from './model-folder.ts';
import {
  type LatentShape,
  type NetworkSettings,
  type Networks,
  type NumberArray,
  openNetworks,
} from './networks.ts';

export interface DiffusionSettings extends NetworkSettings {
  readonly folder: string;
  /** Denoising steps, 1 to 4. Classifier-free guidance is off, because distilled models are trained without it. */
  readonly steps: number;
}

export interface PaintRequest {
  readonly prompt: string;
  /** The picture gets this aspect ratio as closely as the model allows. A model of fixed size ignores the canvas. */
  readonly canvas: CanvasSize;
  /** 0 to 4294967295. */
  readonly seed: number;
}

export interface Painted extends CanvasSize {
  readonly png: Uint8Array;
  /** Whether the prompt was truncated because it exceeded the model's limit. */
  readonly isPromptCut: boolean;
}

export interface DiffusionModel {
  /** Changes if the same request may give a different picture. */
  readonly version: string;
  /**
   * Rejects with `internal` if a network fails. On abort, rejects with the signal's reason as soon as the running
   * network has finished.
   */
  paint(request: PaintRequest, options: { readonly signal: AbortSignal }): Promise<Painted>;
  close(): Promise<void>;
}

/** If a model accepts any size, both sides of a latent are multiples of 8 pixels: the UNet halves them three times. */
const LATENT_STRIDE = 8;

/** Rejects with `internal`; the message names the missing or invalid file, or the network that does not fit. */
export async function openDiffusionModel(settings: DiffusionSettings): Promise<DiffusionModel> {
  const folder = await readModelFolder(settings.folder);
  const { vocabulary, schedule } = folder;
  // Check the vocabulary first, so that a wrong one is reported before gigabytes of weights are read.
  createClipTokenizer(vocabulary);
  const networks = await openNetworks(folder, settings);
  const length = networks.promptLength ?? vocabulary.length;
  const tokenize = createClipTokenizer({ ...vocabulary, length });
  const steps = planEulerSteps(schedule, settings.steps);
  return {
    version: `diffusion-${folder.fingerprint}-${settings.steps}-1`,
    async paint({ prompt, canvas, seed }, { signal }) {
      signal.throwIfAborted();
      const { ids, isCut } = tokenize(prompt);
      const words = await networks.encodePrompt(ids);
      const dims = chooseDims(networks.latent, canvas, folder);
      const count = dims.reduce((product, size) => product * size, 1);
      const latent = makeGaussianNoise(count, seed).map((value) => value * steps[0]!.sigma);
      for (const step of steps) {
        signal.throwIfAborted();
        const scaled = scaleForNetwork(latent, step);
        const answer = await networks.predict({ data: scaled, dims }, step.timestep, words);
        takeEulerStep(latent, answer, step, schedule.prediction);
      }
      signal.throwIfAborted();
      const decoded = await decode(networks, latent, dims, folder);
      signal.throwIfAborted();
      return { ...(await encodePng(decoded)), isPromptCut: isCut };
    },
    close: networks.close,
  };
}

/** Returns the graph's fixed size, or a size with the canvas' aspect ratio at the model's training resolution. */
function chooseDims(shape: LatentShape, canvas: CanvasSize, folder: ModelFolder): number[] {
  const ratio = Math.sqrt(canvas.width / canvas.height);
  const side = (wanted: number): number =>
    Math.max(LATENT_STRIDE, Math.round(wanted / LATENT_STRIDE) * LATENT_STRIDE);
  return [
    1,
    shape.channels,
    shape.height ?? side(folder.latentSide / ratio),
    shape.width ?? side(folder.latentSide * ratio),
  ];
}

function decode(
  networks: Networks,
  latent: Float32Array,
  dims: readonly number[],
  { scalingFactor }: ModelFolder,
): Promise<NumberArray> {
  return networks.decode({ data: latent.map((value) => value / scalingFactor), dims });
}

async function encodePng({ data, dims }: NumberArray) {
  const [, , height = 0, width = 0] = dims;
  const plane = width * height;
  const pixels = new Uint8Array(3 * plane);
  for (let i = 0; i < plane; i++) {
    for (let channel = 0; channel < 3; channel++) {
      // -1 maps to black, and 1 to white; values beyond are clipped.
      const share = (data[channel * plane + i]! + 1) / 2;
      pixels[i * 3 + channel] = Math.round(Math.min(1, Math.max(0, share)) * 255);
    }
  }
  try {
    const png = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 6, adaptiveFiltering: false, palette: false, progressive: false })
      .toBuffer();
    return { png: new Uint8Array(png), width, height };
  } catch (error) {
    throw new PackshotError('internal', "The diffusion model's picture could not be encoded.", {
      cause: error,
    });
  }
}
