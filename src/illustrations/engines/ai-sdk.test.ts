import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  describeIllustrationEngine,
  describeRemoteIllustrationEngine,
  makeRequest,
  probe,
  secret,
} from '../painting/illustration-engine.contract.ts';
import type { IllustrationMode, IllustrationRequest } from '../painting/illustration-engine.ts';
import { type AiSdkSettings, openAiSdk } from './ai-sdk.ts';
import { type ImageProvider, imageProviders } from './ai-sdk-providers.ts';
import { basePaths, startFakeProviders } from './testing/fake-providers.ts';
import { createPictureToSend, readFile } from './testing/fake-server.ts';

/** One model per provider: a model that edits with a mask, if the provider has one. */
const models: Readonly<Record<ImageProvider, string>> = {
  openai: 'gpt-image-1',
  google: 'gemini-2.5-flash-image',
  fal: 'fal-ai/flux-pro/v1/fill',
  replicate: 'black-forest-labs/flux-fill-pro',
  'openai-compatible': 'any',
};

const open = (origin: string, model: string, settings: Partial<AiSdkSettings> = {}) => {
  const provider = model.slice(0, model.indexOf(':')) as ImageProvider;
  return openAiSdk({
    model,
    apiKey: secret,
    baseUrl: `${origin}${basePaths[provider]}`,
    longSidePx: 512,
    timeoutMs: 10_000,
    retries: 2,
    pollMs: 10,
    wait: async () => undefined,
    ...settings,
  });
};

async function startBench() {
  const { drawPicture, sendAsPicture } = createPictureToSend();
  const fake = await startFakeProviders(drawPicture);
  return { fake, server: fake.server, sendAsPicture };
}

const { fake } = await startBench();
const { server } = fake;
beforeEach(() => {
  server.calls.length = 0;
  server.interject = () => undefined;
  Object.assign(fake, { filesAt: `${server.origin}/files/`, looks: 0 });
});
afterAll(() => server.close());

describeIllustrationEngine('ai-sdk', () => open(server.origin, `openai:${models.openai}`));
describe.each(imageProviders)('with %s', (provider) => {
  describeRemoteIllustrationEngine('ai-sdk', async () => {
    const bench = await startBench();
    const { origin } = bench.server;
    return {
      ...bench,
      open: ({ url = origin, ...settings }) => open(url, `${provider}:${models[provider]}`, settings),
      isWork: ({ method }) => method === 'POST',
    };
  });
});

interface Asking extends Partial<AiSdkSettings> {
  readonly mode?: IllustrationMode;
  readonly canvas?: IllustrationRequest['canvas'];
}

/** Requests one picture and returns the recorded request for it. */
async function ask(model: string, { mode, canvas, ...settings }: Asking = {}) {
  const engine = await open(server.origin, model, settings);
  const request = await makeRequest(mode ?? engine.modes[0]!, canvas === undefined ? {} : { canvas });
  const illustrated = await engine.illustrate(request);
  return { engine, illustrated, call: server.calls.find(({ method }) => method === 'POST')! };
}
const fromDataUrl = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
const red = [255, 0, 0];
const blue = [0, 0, 255];

describe('OpenAI through the AI SDK', () => {
  it('receives a PNG mask that is transparent where the engine repaints, in the picture’s size', async () => {
    const { call, illustrated } = await ask('openai:gpt-image-1', { mode: 'scaffold-edit' });
    expect(call.path).toBe('/v1/images/edits');
    expect(call.headers.authorization).toBe(`Bearer ${secret}`);
    const fields = ['model', 'size', 'n'].map((name) => call.form?.get(name));
    expect(fields).toEqual(['gpt-image-1', '1024x1024', '1']);
    expect(call.form?.get('prompt')).toBe('a bottle on a stone, 50% shade Avoid: text, people.');
    const bytesOf = async (field: string) => new Uint8Array(await readFile(call.form, field).arrayBuffer());
    const size = [1024, 1024];
    expect(await probe(await bytesOf('image'))).toEqual({ product: red, elsewhere: blue, size });
    expect(await probe(await bytesOf('mask'))).toEqual({
      product: [0, 0, 0, 255],
      elsewhere: [255, 255, 255, 0],
      size,
    });
    expect(illustrated.seed).toBeUndefined();
    expect(illustrated.warnings).toEqual(['seed is not supported']);
  });

  it('receives no mask in instruct-edit mode', async () => {
    const { call } = await ask('openai:gpt-image-1', { mode: 'instruct-edit' });
    expect([call.form?.has('image'), call.form?.has('mask')]).toEqual([true, false]);
  });

  it.each<[string, number, number, string]>([
    ['gpt-image-1', 1000, 1000, '1024x1024'],
    ['gpt-image-1', 1600, 2000, '1024x1536'],
    ['gpt-image-1', 2000, 1125, '1536x1024'],
    ['gpt-image-2', 1125, 2000, '720x1280'],
    ['gpt-image-2', 1600, 2000, '1024x1280'],
    ['gpt-image-2.5-flare', 2000, 2000, '1280x1280'],
    ['dall-e-3', 1125, 2000, '1024x1792'],
    ['dall-e-2', 1125, 2000, '1024x1024'],
  ])('with %s and a canvas of %i×%i, is asked for the size %s', async (model, width, height, size) => {
    const { call } = await ask(`openai:${model}`, { mode: 'plate-only', canvas: { width, height } });
    expect(call.path).toBe('/v1/images/generations');
    expect(call.json).toMatchObject({ model, size, n: 1 });
  });

  it('is not called again if the quota is exhausted', async () => {
    const error = {
      message: 'You exceeded your current quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    };
    server.interject = () => ({ status: 429, body: { error } });
    await expect(ask('openai:gpt-image-1')).rejects.toMatchObject({ reason: 'refused' });
    expect(server.calls.length).toBe(1);
  });

  it('reports why the content policy refused', async () => {
    const error = { message: 'Your request was rejected by the safety system.', code: 'moderation_blocked' };
    server.interject = () => ({ status: 400, body: { error } });
    await expect(ask('openai:gpt-image-1')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('rejected by the safety system'),
    });
  });
});

describe('Google through the AI SDK', () => {
  it('receives the picture as a message part, the ratio by name, and no mask', async () => {
    const canvas = { width: 160, height: 200 };
    const { call, engine, illustrated } = await ask('google:gemini-2.5-flash-image', { canvas });
    expect(engine.modes).toEqual(['instruct-edit', 'plate-only']);
    expect(call.path).toBe('/v1beta/models/gemini-2.5-flash-image:generateContent');
    expect(call.headers['x-goog-api-key']).toBe(secret);
    const { contents, generationConfig } = call.json;
    expect(contents[0].parts.length).toBe(2);
    expect(contents[0].parts[0].text).toBe('a bottle on a stone, 50% shade Avoid: text, people.');
    const { data, mimeType } = contents[0].parts[1].inlineData;
    expect(mimeType).toBe('image/png');
    const picture = await probe(Buffer.from(data, 'base64'));
    expect(picture).toEqual({ product: red, elsewhere: blue, size: [416, 512] });
    expect(generationConfig).toMatchObject({
      seed: 1234,
      responseModalities: ['IMAGE'],
      imageConfig: { aspectRatio: '4:5' },
    });
    expect([illustrated.seed, illustrated.warnings]).toEqual([1234, []]);
  });

  it('is reported as refusing the request if its response has no picture because of a content policy', async () => {
    const candidates = [
      { content: { role: 'model', parts: [{ text: 'No.' }] }, finishReason: 'IMAGE_SAFETY' },
    ];
    server.interject = () => ({ body: { candidates } });
    await expect(ask('google:gemini-2.5-flash-image')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('IMAGE_SAFETY'),
    });
  });

  it('is reported as refusing the request if it blocks the prompt itself', async () => {
    server.interject = () => ({ body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } });
    await expect(ask('google:gemini-2.5-flash-image')).rejects.toMatchObject({ reason: 'refused' });
  });

  it('is reported as broken if the response is text', async () => {
    const candidates = [
      { content: { role: 'model', parts: [{ text: 'Here it is!' }] }, finishReason: 'STOP' },
    ];
    server.interject = () => ({ body: { candidates } });
    await expect(ask('google:gemini-2.5-flash-image')).rejects.toMatchObject({ reason: 'broken' });
    expect(server.calls.length).toBe(1);
  });
});

describe('fal through the AI SDK', () => {
  it('receives a gray mask that is white where the engine repaints, and no size', async () => {
    const { call, engine, illustrated } = await ask('fal:fal-ai/flux-pro/v1/fill');
    expect(engine.modes).toEqual(['scaffold-edit']);
    expect(call.path).toBe('/fal-ai/flux-pro/v1/fill');
    expect(call.headers.authorization).toBe(`Key ${secret}`);
    expect(call.json).toMatchObject({ prompt: 'a bottle on a stone, 50% shade', seed: 1234, num_images: 1 });
    expect(call.json).not.toHaveProperty('image_size');
    const size = [512, 512];
    const picture = await probe(fromDataUrl(call.json.image_url));
    expect(picture).toEqual({ product: red, elsewhere: blue, size });
    const mask = await probe(fromDataUrl(call.json.mask_url));
    expect(mask).toEqual({ product: [0], elsewhere: [255], size });
    expect(illustrated.warnings).toEqual([expect.stringMatching(/^negativePrompt/)]);
  });

  it('receives a list of pictures if its model takes a list', async () => {
    const { call } = await ask('fal:fal-ai/flux-2/edit');
    expect(call.json.image_urls.length).toBe(1);
    expect(call.json).not.toHaveProperty('mask_url');
  });

  it('is asked for a plate (scene without product) in the canvas’ aspect ratio, with sides in multiples of 16', async () => {
    const { call } = await ask('fal:fal-ai/flux/dev', { canvas: { width: 900, height: 1600 } });
    expect(call.json.image_size).toEqual({ width: 288, height: 512 });
  });

  it('is reported as refusing the request if its safety checker blackened the picture', async () => {
    server.interject = ({ method }) =>
      method === 'POST'
        ? { body: { images: [{ url: `${fake.filesAt}out.png` }], has_nsfw_concepts: [true] } }
        : undefined;
    await expect(ask('fal:fal-ai/flux/dev')).rejects.toMatchObject({ reason: 'refused' });
  });

  it.each([
    'http://203.0.113.5/out.png',
    'https://127.0.0.1/out.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/out.png',
    'https://10.0.0.1/out.png',
    'file:///etc/passwd',
    'ftp://example.com/out.png',
  ])('fetches no picture from %s', async (url) => {
    server.interject = ({ method }) => (method === 'POST' ? { body: { images: [{ url }] } } : undefined);
    await expect(ask('fal:fal-ai/flux/dev')).rejects.toMatchObject({ reason: 'broken' });
  });

  it('may not redirect the download of a finished picture: the engine reports `refused`', async () => {
    server.interject = ({ path }) =>
      path === '/files/out.png' ? { status: 302, headers: { location: '/files/other.png' } } : undefined;
    await expect(ask('fal:fal-ai/flux/dev')).rejects.toMatchObject({ reason: 'refused' });
    expect(server.calls.some(({ path }) => path === '/files/other.png')).toBe(false);
  });
});

describe('Replicate through the AI SDK', () => {
  it('receives the picture, a gray mask and a cancellation timeout, and is polled until the picture is ready', async () => {
    fake.looks = 1;
    const { call, engine } = await ask('replicate:black-forest-labs/flux-fill-pro');
    expect(engine.modes).toEqual(['scaffold-edit']);
    expect(call.path).toBe('/v1/models/black-forest-labs/flux-fill-pro/predictions');
    expect(call.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'cancel-after': '10s',
      prefer: 'wait',
    });
    const { input } = call.json;
    expect(input).toMatchObject({ prompt: 'a bottle on a stone, 50% shade', seed: 1234 });
    expect(input).not.toHaveProperty('aspect_ratio');
    const size = [512, 512];
    expect(await probe(fromDataUrl(input.image))).toEqual({ product: red, elsewhere: blue, size });
    expect(await probe(fromDataUrl(input.mask))).toEqual({ product: [0], elsewhere: [255], size });
    expect(server.calls.filter(({ path }) => path === '/v1/predictions/p1').length).toBe(2);
  });

  it('is asked for a plate (scene without product) by aspect ratio', async () => {
    const { call } = await ask('replicate:black-forest-labs/flux-1.1-pro', {
      canvas: { width: 2000, height: 1600 },
    });
    expect(call.json.input).toMatchObject({ aspect_ratio: '5:4', seed: 1234, num_outputs: 1 });
  });

  it('is reported as refusing the request, with the model’s error, if the prediction failed', async () => {
    const urls = { get: `${server.origin}/v1/predictions/p1` };
    server.interject = () => ({
      status: 201,
      body: { status: 'failed', error: 'NSFW content detected', urls },
    });
    await expect(ask('replicate:black-forest-labs/flux-fill-pro')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('NSFW content detected'),
    });
  });
});

describe('an OpenAI-compatible server', () => {
  it('is asked only for plates (scenes without product), unless the setting `modes` names other modes', async () => {
    const { call, engine } = await ask('openai-compatible:flux', { canvas: { width: 160, height: 90 } });
    expect(engine.modes).toEqual(['plate-only']);
    expect(call.json).toMatchObject({ model: 'flux', size: '512x320', n: 1 });
    const masked = await ask('openai-compatible:flux', { modes: ['scaffold-edit', 'instruct-edit'] });
    expect(masked.engine.modes).toEqual(['scaffold-edit', 'instruct-edit']);
    const { form } = server.calls.at(-1)!;
    const mask = new Uint8Array(await readFile(form, 'mask').arrayBuffer());
    expect(await probe(mask)).toMatchObject({ product: [0, 0, 0, 255], elsewhere: [255, 255, 255, 0] });
  });

  it('receives no key if none is configured, and may respond with a URL on its own host', async () => {
    const engine = await openAiSdk({
      model: 'openai-compatible:flux',
      baseUrl: `${server.origin}${basePaths['openai-compatible']}`,
      longSidePx: 512,
      timeoutMs: 10_000,
      retries: 0,
    });
    server.interject = ({ method }) =>
      method === 'POST' ? { body: { data: [{ url: `${server.origin}/files/out.png` }] } } : undefined;
    const { bytes } = await engine.illustrate(await makeRequest('plate-only'));
    expect(bytes.length).toBeGreaterThan(0);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

describe('stable-diffusion.cpp, as an OpenAI-compatible server', () => {
  const askForPlate = async (prompt: string) => {
    const engine = await open(server.origin, 'openai-compatible:sd-cpp-local', { retries: 0 });
    return engine.illustrate(await makeRequest('plate-only', { brief: { prompt, negativePrompt: '' } }));
  };

  it('refuses with a sentence in place of an error object, which is quoted', async () => {
    await expect(askForPlate('')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('"prompt required"'),
    });
  });

  it.each([
    [{ error: 'generate_image returned no results' }, 'generate_image returned no results'],
    [{ error: 'server_error', message: '[json.exception.type_error.302] type must be number' }, 'type_error'],
  ])('fails with status 500 and %o', async (body, quoted) => {
    server.interject = () => ({ status: 500, body });
    await expect(askForPlate('a bottle')).rejects.toMatchObject({
      reason: 'broken',
      message: expect.stringContaining(quoted),
    });
  });

  it('may answer without a picture: the engine reports `broken`', async () => {
    server.interject = () => ({ body: { created: 1, data: [], output_format: 'png' } });
    await expect(askForPlate('a bottle')).rejects.toMatchObject({ reason: 'broken' });
  });
});

describe('the ai-sdk engine', () => {
  it('changes its version with model, URL or mode, but not with the key', async () => {
    const versionOf = async (model: string, settings: Partial<AiSdkSettings> = {}) =>
      (await open(server.origin, model, settings)).version;
    const own = await versionOf('openai:gpt-image-1');
    expect(await versionOf('openai:gpt-image-1', { apiKey: 'another-key' })).toBe(own);
    expect(await versionOf('openai:gpt-image-2')).not.toBe(own);
    expect(await versionOf('openai:gpt-image-1', { baseUrl: 'http://127.0.0.1/v1' })).not.toBe(own);
    expect(await versionOf('openai:gpt-image-1', { modes: ['plate-only'] })).not.toBe(own);
  });

  const settings = { longSidePx: 512, timeoutMs: 1000, retries: 0 };
  it.each<[string, Partial<AiSdkSettings>, RegExp]>([
    ['gpt-image-1', { apiKey: secret }, /provider:model/],
    ['midjourney:v7', { apiKey: secret }, /openai, google, fal, replicate, openai-compatible/],
    ['openai:', { apiKey: secret }, /provider:model/],
    ['openai:gpt-image-1', {}, /API key/],
    ['openai-compatible:flux', {}, /base URL/],
    ['google:imagen-4.0-generate-001', { apiKey: secret }, /gemini-/],
    ['google:gemini-2.5-flash-image', { apiKey: secret, modes: ['scaffold-edit'] }, /no mask/],
  ])('does not open with %s and %o', async (model, changes, message) => {
    await expect(openAiSdk({ ...settings, ...changes, model })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(message),
    });
  });
});
