/** Differences between the AI SDK's image providers: modes, sizes and mask formats. */
import type { ImageModel } from 'ai';
import type { CanvasSize } from 'packshot-pixels';
import type { IllustrationMode } from '../painting/illustration-engine.ts';
import { ANY_MODEL_PX, fitFrame, nearestFrame, nearestRatio, type Ratio } from './engine-frame.ts';
import type { MaskForm } from './fit-scaffold.ts';

export const imageProviders = ['openai', 'google', 'fal', 'replicate', 'openai-compatible'] as const;
export type ImageProvider = (typeof imageProviders)[number];

/** What every provider of the SDK takes. */
export interface Connection {
  /** Empty if there is none. */
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * `frame` is the size at which the scaffold (our composite and its mask) is sent. `size` or `aspectRatio` is what the
 * provider is asked for; without them, the result gets the size or aspect ratio of the picture that was sent.
 */
export interface Frame {
  readonly frame: CanvasSize;
  readonly size?: `${number}x${number}`;
  readonly aspectRatio?: Ratio;
}

export interface ProviderTraits {
  readonly maskForm: MaskForm;
  /** Whether the model understands negations in the prompt; other models draw the things that are negated. */
  readonly readsNegation: boolean;
  readonly modesOf: (model: string) => readonly IllustrationMode[];
  readonly frameOf: (
    canvas: CanvasSize,
    about: { readonly model: string; readonly edit: boolean; readonly longSidePx: number },
  ) => Frame;
  readonly open: (model: string, connection: Connection) => Promise<ImageModel>;
}

const sized = (frame: CanvasSize): Frame => ({ frame, size: `${frame.width}x${frame.height}` });

/** FLUX needs sides in multiples of 16 px (autoencoder: 8, times 2 for its patches). So do OpenAI's newer models. */
const BLOCK_PX = 16;

const landscape = (width: number, height: number): readonly CanvasSize[] => [
  { width, height },
  { width: height, height: width },
];
const square = { width: 1024, height: 1024 };
/** Source: developers.openai.com, images/create, `size`. */
const gptImageFrames = [square, ...landscape(1536, 1024)];
const dallE3Frames = [square, ...landscape(1792, 1024)];
/**
 * gpt-image-2 and newer models accept sides in multiples of 16, with an aspect ratio of up to 3:1 and at least 655,360
 * pixels (docs.comfy.org, OpenAIGPTImageNodeV2). At 1,280 px on its longer side, a 16:9 picture has enough pixels.
 */
const FREE_LONG_SIDE_PX = 1_280;

/** Source: ai.google.dev, gemini-api/docs/image-generation, and the list in @ai-sdk/google. */
const geminiRatios: readonly Ratio[] = [
  '1:1',
  '2:3',
  '3:2',
  '3:4',
  '4:3',
  '4:5',
  '5:4',
  '9:16',
  '16:9',
  '21:9',
];
/** Source: the input schemas of black-forest-labs/flux-1.1-pro and flux-2-pro on replicate.com. */
const replicateRatios: readonly Ratio[] = ['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'];

/**
 * Guesses the modes from a model's name, by the names that hosts use for FLUX Fill, Kontext, Qwen-Image-Edit and
 * similar models. The setting `modes` overrides the guess.
 */
function modesByName(model: string): readonly IllustrationMode[] {
  if (/fill|inpaint/.test(model)) return ['scaffold-edit'];
  if (/black-forest-labs\/flux-2-/.test(model)) return ['instruct-edit', 'plate-only'];
  return /kontext|edit/.test(model) ? ['instruct-edit'] : ['plate-only'];
}

export const providerTraits: Readonly<Record<ImageProvider, ProviderTraits>> = {
  openai: {
    maskForm: 'gray-and-clear',
    readsNegation: true,
    modesOf: (model) =>
      /^(gpt|chatgpt)-image/.test(model) ? ['scaffold-edit', 'instruct-edit', 'plate-only'] : ['plate-only'],
    frameOf: (canvas, { model, longSidePx }) => {
      if (/^gpt-image-([2-9]|\d\d)/.test(model))
        return sized(fitFrame(canvas, Math.max(longSidePx, FREE_LONG_SIDE_PX), BLOCK_PX));
      if (model === 'dall-e-2') return sized(square);
      return sized(nearestFrame(canvas, model === 'dall-e-3' ? dallE3Frames : gptImageFrames));
    },
    open: async (model, connection) => (await import('@ai-sdk/openai')).createOpenAI(connection).image(model),
  },
  google: {
    maskForm: 'gray',
    readsNegation: true,
    // Gemini takes no mask; pictures are sent and returned as message parts.
    modesOf: () => ['instruct-edit', 'plate-only'],
    frameOf: (canvas, { longSidePx }) => ({
      frame: fitFrame(canvas, longSidePx, BLOCK_PX),
      aspectRatio: nearestRatio(canvas, geminiRatios),
    }),
    open: async (model, connection) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(connection).image(model),
  },
  fal: {
    maskForm: 'gray',
    readsNegation: false,
    modesOf: modesByName,
    frameOf: (canvas, { edit, longSidePx }) => {
      const frame = fitFrame(canvas, longSidePx, BLOCK_PX);
      // The result of an edit has the size of the picture that was sent.
      return edit ? { frame } : sized(frame);
    },
    open: async (model, connection) => (await import('@ai-sdk/fal')).createFal(connection).image(model),
  },
  replicate: {
    maskForm: 'gray',
    readsNegation: false,
    modesOf: modesByName,
    frameOf: (canvas, { model, edit, longSidePx }) => ({
      frame: fitFrame(canvas, longSidePx, BLOCK_PX),
      // If no aspect ratio is requested, the result of an edit has that of the picture that was sent, except that
      // FLUX.2 returns a square.
      ...(edit && !model.includes('flux-2-') ? {} : { aspectRatio: nearestRatio(canvas, replicateRatios) }),
    }),
    open: async (model, { apiKey: apiToken, ...connection }) =>
      (await import('@ai-sdk/replicate')).createReplicate({ apiToken, ...connection }).image(model),
  },
  'openai-compatible': {
    maskForm: 'gray-and-clear',
    readsNegation: false,
    // Few of these servers support edits, and even fewer support masks; the setting `modes` can declare both.
    modesOf: () => ['plate-only'],
    frameOf: (canvas, { longSidePx }) => sized(fitFrame(canvas, longSidePx, ANY_MODEL_PX)),
    open: async (model, connection) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name: 'openai-compatible', ...connection }).imageModel(model);
    },
  },
};
