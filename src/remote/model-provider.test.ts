import { describe, expect, it } from 'vitest';
import { resolveModel } from './model-provider.ts';

const providers = ['openai', 'openai-compatible'] as const;

describe('a configured model', () => {
  it('defaults to its provider’s base URL and allows colons in its name', () => {
    const own = resolveModel({ model: 'openai:a:b', apiKey: 'k' }, 'image', providers);
    expect([own.provider, own.model, own.url.href]).toEqual(['openai', 'a:b', 'https://api.openai.com/v1']);
    expect(own.secrets).toEqual(['k']);
    const given = { model: 'openai-compatible:a', baseUrl: 'http://gpu:8000/v1' };
    const { url, secrets } = resolveModel(given, 'language', providers);
    expect([url.href, secrets]).toEqual(['http://gpu:8000/v1', []]);
  });

  it.each([
    [{ model: 'openai' }, /image model needs the form provider:model with one of openai, openai-compatible/],
    [{ model: 'fal:x', apiKey: 'k' }, /one of openai, openai-compatible/],
    [{ model: 'openai:x' }, /image models of openai need an API key/],
    [{ model: 'openai-compatible:x' }, /base URL of their server/],
  ])('is rejected if a setting is wrong or missing, and the error names it: %j', (settings, message) => {
    expect(() => resolveModel(settings, 'image', providers)).toThrow(
      expect.objectContaining({ code: 'internal', message: expect.stringMatching(message) }),
    );
  });
});
