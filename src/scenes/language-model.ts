/**
 * One question to a language model, answered in a given shape or not at all: OpenAI, Google, or any server that speaks
 * OpenAI's chat completions. What it answers only ever chooses among things of ours; what it cannot answer in time is
 * done without it.
 */
import { generateText, jsonSchema, type LanguageModel, NoObjectGeneratedError, Output } from 'ai';
import { z } from 'zod';
import {
  type ModelProvider,
  type ModelSettings,
  type ResolvedModel,
  resolveModel,
} from '../remote/model-provider.ts';
import { callRemote, type RemoteTarget } from '../remote/remote-call.ts';
import { RemoteFailure } from '../remote/remote-failure.ts';

/** The model's provider is one of openai, google, openai-compatible. */
export interface LanguageModelSettings extends ModelSettings {
  /** For one answer, 1,000 to 60,000; 10,000 unless told. */
  readonly timeoutMs?: number;
}

export interface Question<T extends z.ZodType> {
  /** Ours alone: nothing that a caller wrote. */
  readonly instructions: string;
  /** Sent as JSON, so that no text in it can look like anything else. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** A few hundred pixels a side; more only costs. */
  readonly picturePng: Uint8Array | undefined;
  /** Fields that the model may get wrong have a `catch`: they count as not answered. */
  readonly answer: T;
}

/** A question that was done without an answer, for the log: no secret of ours is in it. */
export interface UnansweredQuestion {
  /** `provider:model`. */
  readonly model: string;
  /** A late answer is `unreachable`. */
  readonly reason: RemoteFailure['reason'];
  readonly why: string;
}

export interface AskingModel {
  /** Undefined where there is no answer in time. Rejects only with the signal's reason. */
  ask<T extends z.ZodType>(question: Question<T>, signal: AbortSignal): Promise<z.output<T> | undefined>;
}

const providers = ['openai', 'google', 'openai-compatible'] as const satisfies readonly ModelProvider[];

const DEFAULT_TIMEOUT_MS = 10_000;
/** An answer is a few hundred tokens; the rest is for models that think before they speak. */
const MAX_OUTPUT_TOKENS = 2_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

interface Line extends Pick<ResolvedModel<(typeof providers)[number]>, 'provider' | 'model' | 'apiKey'> {
  readonly target: RemoteTarget;
}

/** Calls nobody. Throws `internal` for a model, a key or an address that cannot work. */
export function openLanguageModel(
  settings: LanguageModelSettings,
  onUnanswered: (question: UnansweredQuestion) => void,
): AskingModel {
  // They are for those who write the questions; the SDK would print them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const line = readSettings(settings);
  return {
    async ask(question, signal) {
      try {
        return await callRemote(line.target, signal, (call) => generate(question, line, call));
      } catch (error) {
        signal.throwIfAborted();
        const reason = error instanceof RemoteFailure ? error.reason : 'broken';
        onUnanswered({ model: settings.model, reason, why: describe(error) });
        return undefined;
      }
    },
  };
}

/** What `callRemote` throws holds no secret, in its cause neither. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function readSettings(settings: LanguageModelSettings): Line {
  const { provider, model, apiKey, url, secrets } = resolveModel(settings, 'language', providers);
  return {
    provider,
    model,
    apiKey,
    target: {
      url,
      secrets,
      timeoutMs: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      // Somebody waits for the suggestions: a second try would come too late.
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
  line: Line,
  call: Call,
): Promise<z.output<T>> {
  const picture =
    picturePng === undefined ? [] : [{ type: 'file' as const, mediaType: 'image/png', data: picturePng }];
  try {
    const result = await generateText({
      model: await openModel(line, call.fetch),
      instructions,
      messages: [{ role: 'user', content: [{ type: 'text', text: JSON.stringify(facts) }, ...picture] }],
      output: Output.object({ schema: describeAnswer(answer), name: 'answer' }),
      temperature: 0,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
      abortSignal: call.signal,
    });
    // Read first: asking for an output that is withheld throws.
    if (result.finishReason === 'content-filter') throw withheld();
    return result.output;
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error) && error.finishReason === 'content-filter') throw withheld();
    throw error;
  }
}

function withheld(): RemoteFailure {
  return new RemoteFailure('refused', 'The language model does not want this request.');
}

/** For the model every field is needed and of known values; what it sends is then read leniently. */
function describeAnswer<T extends z.ZodType>(answer: T) {
  const described = z.toJSONSchema(answer, {
    target: 'draft-7',
    io: 'output',
    // What a `catch` falls back to; OpenAI's strict mode knows no defaults.
    override: ({ jsonSchema: part }) => {
      delete part.default;
    },
  });
  return jsonSchema<z.output<T>>(described as Parameters<typeof jsonSchema>[0], {
    validate: (value) => {
      const read = answer.safeParse(value);
      return read.success ? { success: true, value: read.data } : { success: false, error: read.error };
    },
  });
}

async function openModel(
  { provider, model, apiKey, target }: Line,
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
