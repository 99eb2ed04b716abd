/** Resolves a configured model to its provider, base URL and key; shared by image and language models. */
import { PackshotError } from 'packshot-errors';

export interface ModelSettings {
  /** `provider:model`. */
  readonly model: string;
  /** Required except for openai-compatible; never appears in an error. */
  readonly apiKey?: string;
  /** With the version, such as `http://gpu:8000/v1`. Required for openai-compatible only. */
  readonly baseUrl?: string;
}

const ownBaseUrls = {
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  fal: 'https://fal.run',
  replicate: 'https://api.replicate.com/v1',
  'openai-compatible': undefined,
} as const;
export type ModelProvider = keyof typeof ownBaseUrls;

export interface ResolvedModel<P extends ModelProvider> {
  readonly provider: P;
  /** Without the provider prefix. */
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly url: URL;
  /** Strings to redact from errors. */
  readonly secrets: readonly string[];
}

/** Throws `internal` if the provider is not one of `providers`, or if a required key or base URL is missing. */
export function resolveModel<P extends ModelProvider>(
  { model: name, apiKey, baseUrl }: ModelSettings,
  kind: 'image' | 'language',
  providers: readonly P[],
): ResolvedModel<P> {
  const [, prefix = '', model = ''] = /^([^:]*):(.+)$/s.exec(name) ?? [];
  const provider = providers.find((known) => known === prefix);
  if (provider === undefined)
    throw invalidModel(
      `The ${kind} model needs the form provider:model with one of ${providers.join(', ')}.`,
    );
  const url = baseUrl ?? ownBaseUrls[provider];
  if (url === undefined)
    throw invalidModel(`The ${kind} models of ${provider} need the base URL of their server.`);
  if (apiKey === undefined && provider !== 'openai-compatible')
    throw invalidModel(`The ${kind} models of ${provider} need an API key.`);
  return { provider, model, apiKey, url: new URL(url), secrets: apiKey === undefined ? [] : [apiKey] };
}

function invalidModel(message: string): PackshotError {
  return new PackshotError('internal', message);
}
