/**
 * Illustration engine adapter for image model providers through the AI SDK: OpenAI, Google, fal, Replicate, or any
 * server with OpenAI's image API. The SDK builds the requests; our own code handles URLs, retries, timeouts and size
 * limits.
 */
import { generateImage, InvalidResponseDataError, NoImageGeneratedError, type Warning } from 'ai';
import { PackshotError } from 'packshot-errors';
import { type ModelSettings, type ResolvedModel, resolveModel } from '../../remote/model-provider.ts';
import { callRemote, type RemoteCall } from '../../remote/remote-call.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import type { RemoteSettings, RemoteTarget } from '../../remote/remote-target.ts';
import { cleanWords } from '../../remote/server-words.ts';
import type {
  Illustrated,
  IllustrationEngine,
  IllustrationMode,
  IllustrationRequest,
} from '../painting/illustration-engine.ts';
import { checkPicture, hashSettings, requireScaffold } from './adapter-parts.ts';
import {
  type Frame,
  type ImageProvider,
  imageProviders,
  type ProviderTraits,
  providerTraits,
} from './ai-sdk-providers.ts';
import { fitScaffold } from './fit-scaffold.ts';

/** Settings for one of `imageProviders`. The API key is not part of the engine's `version`. */
export interface AiSdkSettings extends RemoteSettings, ModelSettings {
  /** The model's modes, preferred first; default: derived from the model's name. */
  readonly modes?: readonly IllustrationMode[];
  /** Longer side in pixels for models that accept any size, 512 to 2,048. */
  readonly longSidePx: number;
  /** Milliseconds between two polls of a provider that can only be polled; default 1,000. */
  readonly pollMs?: number;
}

interface Setup extends Pick<ResolvedModel<ImageProvider>, 'provider' | 'model'> {
  readonly settings: AiSdkSettings;
  readonly traits: ProviderTraits;
  readonly target: RemoteTarget;
}

const DEFAULT_POLL_MS = 1_000;

/** Sends no request yet. Throws `internal` for an unknown form of provider, or without a key or URL that it needs. */
export async function openAiSdk(settings: AiSdkSettings): Promise<IllustrationEngine> {
  // The SDK would print warnings; `illustrate` returns them instead.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const setup = readSettings(settings);
  const { provider, model, traits, target } = setup;
  const modes = settings.modes ?? traits.modesOf(model);
  const hash = hashSettings([settings.model, target.url.href, modes, settings.longSidePx]);
  return {
    id: 'ai-sdk',
    version: `ai-sdk-${provider}-${hash}-2`,
    modes,
    illustrate: (request) => illustrate(request, setup),
    close: async () => undefined,
  };
}

function readSettings(settings: AiSdkSettings): Setup {
  const { provider, model, url, secrets } = resolveModel(settings, 'image', imageProviders);
  if (provider === 'google' && !model.startsWith('gemini-'))
    throw invalidModel('For Google, only image models whose name begins with gemini- are supported.');
  if (provider === 'google' && settings.modes?.includes('scaffold-edit'))
    throw invalidModel('Google image models accept no mask: their modes are instruct-edit and plate-only.');
  const traits = providerTraits[provider];
  return { settings, provider, model, traits, target: { ...settings, url, secrets } };
}

async function illustrate(request: IllustrationRequest, setup: Setup): Promise<Illustrated> {
  request.signal.throwIfAborted();
  const { settings, model, traits, target } = setup;
  const edit = request.mode !== 'plate-only';
  const frame = traits.frameOf(request.canvas, { model, edit, longSidePx: settings.longSidePx });
  const prompt = await makePrompt(request, frame, setup);
  const { bytes, warnings } = await callRemote(target, request.signal, (call) =>
    generate({ request, frame, prompt }, setup, call),
  );
  return {
    bytes: checkPicture(bytes),
    model: settings.model,
    seed: warnings.some((warning) => isAbout(warning, 'seed')) ? undefined : request.seed,
    // No provider reports costs in its responses.
    costUsd: undefined,
    warnings: [
      ...warnings.map(describeWarning),
      ...(traits.readsNegation || request.brief.negativePrompt === ''
        ? []
        : ['negativePrompt is not sent: this provider does not support it']),
    ],
  };
}

async function makePrompt(request: IllustrationRequest, { frame }: Frame, { traits }: Setup) {
  const { mode, brief } = request;
  const avoid = traits.readsNegation && brief.negativePrompt !== '' ? ` Avoid: ${brief.negativePrompt}.` : '';
  const text = `${brief.prompt}${avoid}`;
  if (mode === 'plate-only') return text;
  const { picturePng, maskPng } = await fitScaffold(requireScaffold(request), frame, traits.maskForm);
  return { images: [picturePng], text, ...(mode === 'scaffold-edit' ? { mask: maskPng } : {}) };
}

interface Assignment {
  readonly request: IllustrationRequest;
  readonly frame: Frame;
  readonly prompt: Awaited<ReturnType<typeof makePrompt>>;
}

async function generate({ request, frame, prompt }: Assignment, setup: Setup, call: RemoteCall) {
  const { settings, provider, model, traits, target } = setup;
  const { apiKey = '' } = settings;
  const connection = { apiKey, baseURL: target.url.href.replace(/\/+$/, ''), fetch: call.fetch };
  try {
    const result = await generateImage({
      model: await traits.open(model, connection),
      prompt,
      n: 1,
      ...(frame.size === undefined ? {} : { size: frame.size }),
      ...(frame.aspectRatio === undefined ? {} : { aspectRatio: frame.aspectRatio }),
      seed: request.seed,
      providerOptions: optionsFor(setup),
      // The SDK cannot cancel a running Replicate prediction, but the request can set a timeout (Replicate's changelog,
      // 2025-10-16).
      headers: provider === 'replicate' ? { 'cancel-after': `${Math.ceil(target.timeoutMs / 1000)}s` } : {},
      // `call` makes the retries, in the same way for every engine.
      maxRetries: 0,
      abortSignal: call.signal,
    });
    if (isCensored(result.providerMetadata))
      throw new RemoteFailure('refused', 'The provider withheld the picture under its content policy.');
    return { bytes: result.image.uint8Array, warnings: result.warnings };
  } catch (error) {
    throw explain(error, setup);
  }
}

function optionsFor({ settings, provider, model, target }: Setup) {
  switch (provider) {
    case 'replicate': {
      const { pollMs = DEFAULT_POLL_MS } = settings;
      const maxPollAttempts = Math.ceil(target.timeoutMs / pollMs);
      return { replicate: { pollIntervalMillis: pollMs, maxPollAttempts } };
    }
    case 'fal':
      // Models with this suffix take a list of pictures (fal.ai, flux-2/edit, nano-banana/edit); others take one.
      return { fal: { useMultipleImages: model.endsWith('/edit') } };
    default:
      return {};
  }
}

/** fal returns a black picture if its safety checker was triggered. */
function isCensored(metadata: Readonly<Record<string, { readonly images?: unknown }>>): boolean {
  const images = metadata.fal?.images;
  return Array.isArray(images) && images[0]?.nsfw === true;
}

/** Maps responses with a success status but no picture to a `RemoteFailure`. `callRemote` handles all other errors. */
function explain(error: unknown, { provider, target }: Setup): unknown {
  if (NoImageGeneratedError.isInstance(error)) {
    const google = error.calls?.[0]?.providerMetadata?.google as Record<string, unknown> | undefined;
    const reason = google?.finishReason;
    const named = typeof reason === 'string' ? ` (${cleanWords(reason, target.secrets)})` : '';
    return new RemoteFailure(
      named === '' || reason === 'STOP' ? 'broken' : 'refused',
      `The provider returned no picture${named}.`,
    );
  }
  // Replicate: "Replicate image generation failed: …" or "… canceled: …", followed by the model's own message.
  if (provider === 'replicate' && InvalidResponseDataError.isInstance(error))
    return new RemoteFailure('refused', cleanWords(error.message, target.secrets));
  return error;
}

function isAbout(warning: Warning, feature: string): boolean {
  return 'feature' in warning && warning.feature === feature;
}

function describeWarning(warning: Warning): string {
  if (warning.type === 'other') return warning.message;
  const details = 'details' in warning && warning.details ? `: ${warning.details}` : '';
  return 'feature' in warning ? `${warning.feature} is not supported${details}` : warning.type;
}

const invalidModel = (message: string) => new PackshotError('internal', message);
