/**
 * The illustration engine that asks a provider of image models through the AI SDK: OpenAI, Google, fal, Replicate, or
 * any server that speaks OpenAI's image calls. The SDK writes the requests; addresses, retries, time and bytes are ours.
 */
import { createHash } from 'node:crypto';
import { generateImage, InvalidResponseDataError, NoImageGeneratedError, type Warning } from 'ai';
import { PackshotError } from '../../errors.ts';
import { type ModelSettings, type ResolvedModel, resolveModel } from '../../remote/model-provider.ts';
import {
  callRemote,
  type RemoteCall,
  type RemoteSettings,
  type RemoteTarget,
} from '../../remote/remote-call.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import { cleanWords } from '../../remote/server-words.ts';
import type {
  Illustrated,
  IllustrationEngine,
  IllustrationMode,
  IllustrationRequest,
} from '../painting/illustration-engine.ts';
import {
  type Frame,
  type ImageProvider,
  imageProviders,
  type ProviderTraits,
  providerTraits,
} from './ai-sdk-providers.ts';
import { fitScaffold } from './fit-scaffold.ts';
import { checkPicture } from './read-picture.ts';

/** The model's provider is one of openai, google, fal, replicate, openai-compatible; its key is in no version. */
export interface AiSdkSettings extends RemoteSettings, ModelSettings {
  /** What the model can do, preferred first, where its name does not tell. */
  readonly modes?: readonly IllustrationMode[];
  /** The longer side where the model takes any size, 512 to 2,048. */
  readonly longSidePx: number;
}

interface Setup extends Pick<ResolvedModel<ImageProvider>, 'provider' | 'model'> {
  readonly settings: AiSdkSettings;
  readonly traits: ProviderTraits;
  readonly target: RemoteTarget;
}

const REPLICATE_LOOK_MS = 1_000;

/** Calls nobody. Throws `internal` for a model, a key or an address that cannot work. */
export async function openAiSdk(settings: AiSdkSettings): Promise<IllustrationEngine> {
  // Warnings are handed to the caller; the SDK would print them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const setup = readSettings(settings);
  const { provider, model, traits, target } = setup;
  const modes = settings.modes ?? traits.modesOf(model);
  const hash = createHash('sha256')
    .update(JSON.stringify([settings.model, target.url.href, modes, settings.longSidePx]))
    .digest('hex')
    .slice(0, 12);
  return {
    id: 'ai-sdk',
    version: `ai-sdk-${provider}-${hash}-1`,
    modes,
    illustrate: (request) => illustrate(request, setup),
    close: async () => undefined,
  };
}

function readSettings(settings: AiSdkSettings): Setup {
  const { provider, model, url, secrets } = resolveModel(settings, 'image', imageProviders);
  if (provider === 'google' && !model.startsWith('gemini-'))
    throw unfit('Of Google only image models whose name begins with gemini- can be used.');
  if (provider === 'google' && settings.modes?.includes('scaffold-edit'))
    throw unfit('Image models of google take no mask: their modes are instruct-edit and plate-only.');
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
    // None of the providers tells it in its answers.
    costUsd: undefined,
    warnings: [
      ...warnings.map(describeWarning),
      ...(traits.readsNegation || request.brief.negativePrompt === ''
        ? []
        : ['negativePrompt is not passed on: this provider has no place for it']),
    ],
  };
}

async function makePrompt(
  { mode, brief, scaffold }: IllustrationRequest,
  { frame }: Frame,
  { traits }: Setup,
) {
  const avoid = traits.readsNegation && brief.negativePrompt !== '' ? ` Avoid: ${brief.negativePrompt}.` : '';
  const text = `${brief.prompt}${avoid}`;
  if (mode === 'plate-only') return text;
  if (scaffold === undefined)
    throw new RemoteFailure('refused', 'An edit needs a picture and a mask, and the request has none.');
  const { picturePng, maskPng } = await fitScaffold(scaffold, frame, traits.maskForm);
  return { images: [picturePng], text, ...(mode === 'scaffold-edit' ? { mask: maskPng } : {}) };
}

interface Assignment {
  readonly request: IllustrationRequest;
  readonly frame: Frame;
  readonly prompt: Awaited<ReturnType<typeof makePrompt>>;
}

async function generate({ request, frame, prompt }: Assignment, setup: Setup, call: RemoteCall) {
  const { settings, provider, model, traits, target } = setup;
  const { apiKey } = settings;
  const connection = { apiKey, baseUrl: target.url.href.replace(/\/+$/, ''), fetch: call.fetch };
  try {
    const result = await generateImage({
      model: await traits.open(model, connection),
      prompt,
      n: 1,
      ...(frame.size === undefined ? {} : { size: frame.size }),
      ...(frame.aspectRatio === undefined ? {} : { aspectRatio: frame.aspectRatio }),
      seed: request.seed,
      providerOptions: optionsFor(setup),
      // Nothing tells Replicate when nobody waits any more, but it can be told beforehand (changelog 2025-10-16).
      headers: provider === 'replicate' ? { 'cancel-after': `${Math.ceil(target.timeoutMs / 1000)}s` } : {},
      // The tries are counted by `call`, for every engine alike.
      maxRetries: 0,
      abortSignal: call.signal,
    });
    if (isCensored(result.providerMetadata))
      throw new RemoteFailure('refused', 'The provider holds the picture back by its content rules.');
    return { bytes: result.image.uint8Array, warnings: result.warnings };
  } catch (error) {
    throw explain(error, setup);
  }
}

function optionsFor({ provider, model, target }: Setup) {
  switch (provider) {
    case 'replicate': {
      const maxPollAttempts = Math.ceil(target.timeoutMs / REPLICATE_LOOK_MS);
      return { replicate: { pollIntervalMillis: REPLICATE_LOOK_MS, maxPollAttempts } };
    }
    case 'fal':
      // Models whose name ends so take a list of pictures (fal.ai, flux-2/edit, nano-banana/edit), others one.
      return { fal: { useMultipleImages: model.endsWith('/edit') } };
    default:
      return {};
  }
}

/** fal answers with a black picture where its safety checker found something. */
function isCensored(metadata: Readonly<Record<string, { readonly images?: unknown }>>): boolean {
  const images = metadata.fal?.images;
  return Array.isArray(images) && images[0]?.nsfw === true;
}

/** Refusals that come in an answer with status 200; everything else is judged by `callRemote`. */
function explain(error: unknown, { provider, target }: Setup): unknown {
  if (NoImageGeneratedError.isInstance(error)) {
    const google = error.calls?.[0]?.providerMetadata?.google as Record<string, unknown> | undefined;
    const reason = google?.finishReason;
    const named = typeof reason === 'string' ? ` (${cleanWords(reason, target.secrets)})` : '';
    return new RemoteFailure(
      named === '' || reason === 'STOP' ? 'broken' : 'refused',
      `The provider answers without a picture${named}.`,
    );
  }
  // "Replicate image generation failed: …" and "… canceled: …", with the model's own words.
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

function unfit(message: string): PackshotError {
  return new PackshotError('internal', message);
}
