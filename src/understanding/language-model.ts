/**
 * Sends a question to a language model and parses its structured answer. Supports OpenAI, Google and any
 * OpenAI-compatible server. The question's schema limits the answer; free text in it must be cleaned by the caller. If
 * no usable answer arrives in time, the caller falls back to rules.
 */
import type { jsonSchema, LanguageModel } from 'ai';
import { z } from 'zod';
import {
  type ModelProvider,
  type ModelSettings,
  type ResolvedModel,
  resolveModel,
} from '../remote/model-provider.ts';
import { callRemote } from '../remote/remote-call.ts';
import { RemoteFailure } from '../remote/remote-failure.ts';
import type { RemoteTarget } from '../remote/remote-target.ts';

/** The provider is one of openai, google, openai-compatible. */
export interface LanguageModelSettings extends ModelSettings {
  /** Timeout per answer in milliseconds, 1,000 to 60,000; default 10,000. */
  readonly timeoutMs?: number;
}

export interface Question<T extends z.ZodType> {
  /** Trusted text only, never text from a caller. */
  readonly instructions: string;
  /** Sent as JSON, so that text in the facts cannot pose as instructions. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** A picture of a few hundred pixels per side; more pixels only add cost. */
  readonly picturePng: Uint8Array | undefined;
  /** Zod schema of the answer. Fields that the model may get wrong need a `catch`, which marks them as unanswered. */
  readonly answer: T;
}

/** Log entry for a question that got no usable answer; contains no secrets. */
export interface UnansweredQuestion {
  /** `provider:model`. */
  readonly model: string;
  /** A timeout counts as `unreachable`. */
  readonly reason: RemoteFailure['reason'];
  readonly why: string;
}

export interface AskingModel {
  /** Returns undefined if no usable answer arrives in time. Rejects only with the signal's reason. */
  ask<T extends z.ZodType>(question: Question<T>, signal: AbortSignal): Promise<z.output<T> | undefined>;
}

const providers = ['openai', 'google', 'openai-compatible'] as const satisfies readonly ModelProvider[];

const DEFAULT_TIMEOUT_MS = 10_000;
/** An answer takes a few hundred tokens; the rest is for reasoning models. */
const MAX_OUTPUT_TOKENS = 2_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

interface ModelConnection
  extends Pick<ResolvedModel<(typeof providers)[number]>, 'provider' | 'model' | 'apiKey'> {
  readonly target: RemoteTarget;
}

/** Sends no request. Throws `internal` for an unknown provider, or if a required key or base URL is missing. */
export function openLanguageModel(
  settings: LanguageModelSettings,
  onUnanswered: (question: UnansweredQuestion) => void,
): AskingModel {
  // Otherwise, the SDK would print warnings that concern only developers.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const connection = readSettings(settings);
  return {
    async ask(question, signal) {
      try {
        return await callRemote(connection.target, signal, (call) => generate(question, connection, call));
      } catch (error) {
        signal.throwIfAborted();
        const reason = error instanceof RemoteFailure ? error.reason : 'broken';
        onUnanswered({ model: settings.model, reason, why: describe(error) });
        return undefined;
      }
    },
  };
}

/** Errors of `callRemote` and their causes contain no secrets. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function readSettings(settings: LanguageModelSettings): ModelConnection {
  const { provider, model, apiKey, url, secrets } = resolveModel(settings, 'language', providers);
  return {
    provider,
    model,
    apiKey,
    target: {
      name: 'language model',
      url,
      secrets,
      timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      // The caller is waiting, so a retry would come too late.
      retries: 0,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    },
  };
}

interface Call {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
}

async function generate<T extends z.ZodType>(
  { instructions, facts, picturePng, answer }: Question<T>,
  connection: ModelConnection,
  call: Call,
): Promise<z.output<T>> {
  // Loaded with the first question: most services have no language model, and loading at startup would take a tenth of
  // the startup time.
  const { generateText, jsonSchema, NoObjectGeneratedError, Output } = await import('ai');
  const picture =
    picturePng === undefined ? [] : [{ type: 'file' as const, mediaType: 'image/png', data: picturePng }];
  try {
    const result = await generateText({
      model: await openModel(connection, call.fetch),
      instructions,
      messages: [{ role: 'user', content: [{ type: 'text', text: JSON.stringify(facts) }, ...picture] }],
      output: Output.object({ schema: describeAnswer(answer, jsonSchema), name: 'answer' }),
      temperature: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal: call.signal,
    });
    // Check this first: reading the output of a filtered answer throws.
    if (result.finishReason === 'content-filter') throw withheld();
    return result.output;
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error) && error.finishReason === 'content-filter') throw withheld();
    throw error;
  }
}

function withheld(): RemoteFailure {
  return new RemoteFailure('refused', 'The language model or its content filter refused to answer.');
}

/** The JSON schema tells the model that every field is required; the answer is then parsed leniently. */
function describeAnswer<T extends z.ZodType>(answer: T, toSchema: typeof jsonSchema) {
  const described = z.toJSONSchema(answer, {
    target: 'draft-7',
    io: 'output',
    // Remove the fallback values of `catch`, which OpenAI's strict mode does not support.
    override: ({ jsonSchema: part }) => {
      delete part.default;
    },
  });
  return toSchema<z.output<T>>(described as Parameters<typeof jsonSchema>[0], {
    validate: (value) => {
      const read = answer.safeParse(value);
      return read.success ? { success: true, value: read.data } : { success: false, error: read.error };
    },
  });
}

async function openModel(
  { provider, model, apiKey, target }: ModelConnection,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const baseURL = target.url.href.replace(/\/+$/, '');
  switch (provider) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: apiKey ?? '', baseURL, fetch }).chat(model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey: apiKey ?? '', baseURL, fetch }).chat(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        fetch,
        supportsStructuredOutputs: true,
        ...(apiKey === undefined ? {} : { apiKey }),
      }).chatModel(model);
    }
    default:
      return provider satisfies never;
  }
}
