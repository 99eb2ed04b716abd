/** Whom a configured model belongs to, where it is asked and with which key: read alike for pictures and for words. */
import { PackshotError } from '../errors.ts';

export interface ModelSettings {
  /** `provider:model`. */
  readonly model: string;
  /** Needed by all but openai-compatible; found in no error. */
  readonly apiKey?: string;
  /** With its version, such as `http://gpu:8000/v1`: needed by openai-compatible, the provider's own unless told. */
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
  /** Without the provider. */
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly url: URL;
  /** What must be found in no error. */
  readonly secrets: readonly string[];
}

/** Throws `internal` for a model, a key or an address that cannot work. */
export function resolveModel<P extends ModelProvider>(
  { model: name, apiKey, baseUrl }: ModelSettings,
  kind: 'image' | 'language',
  providers: readonly P[],
): ResolvedModel<P> {
  const [, prefix = '', model = ''] = /^([^:]*):(.+)$/s.exec(name) ?? [];
  const provider = providers.find((known) => known === prefix);
  if (provider === undefined)
    throw unfit(`The ${kind} model needs the form provider:model with one of ${providers.join(', ')}.`);
  const url = baseUrl ?? ownBaseUrls[provider];
  if (url === undefined) throw unfit(`The ${kind} models of ${provider} need the address of their server.`);
  if (apiKey === undefined && provider !== 'openai-compatible')
    throw unfit(`The ${kind} models of ${provider} need an API key.`);
  return { provider, model, apiKey, url: new URL(url), secrets: apiKey === undefined ? [] : [apiKey] };
}

function unfit(message: string): PackshotError {
  return new PackshotError('internal', message);
}
