import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  describeIllustrationEngine,
  describeRemoteIllustrationEngine,
  makeRequest,
  probe,
  secret,
} from '../painting/illustration-engine.contract.ts';
import { type A1111Settings, openA1111 } from './a1111.ts';
import { type Call, createPictureToSend, type FakeServer, startFakeServer } from './testing/fake-server.ts';

const open = (server: FakeServer, settings: Partial<A1111Settings> = {}) =>
  openA1111({
    url: server.origin,
    steps: 20,
    cfgScale: 6,
    denoisingStrength: 0.7,
    longSidePx: 256,
    headers: { authorization: `Basic ${secret}` },
    timeoutMs: 10_000,
    retries: 2,
    ...settings,
  });

/**
 * Answers as modules/api/api.py does: base64 pictures without a prefix, the parameters, and `info` as a JSON string.
 * The pictures have the requested size. `sd.cpp`: as stable-diffusion.cpp's server (commit 97d2990), which cannot be interrupted
 * and whose 404 is empty.
 */
async function startWebUi(kind: 'webui' | 'sd.cpp' = 'webui') {
  const server = await startFakeServer();
  const { drawPicture, sendAsPicture } = createPictureToSend();
  server.handle = async ({ method, path, json }) => {
    const isCpp = kind === 'sd.cpp';
    if (!isCpp && method === 'POST' && path === '/sdapi/v1/interrupt') return { body: {} };
    if (method !== 'POST' || !isWork({ path }))
      return { status: 404, ...(!isCpp && { body: { detail: 'Not Found' } }) };
    const { prompt, width, height, seed } = json;
    if (isCpp && !prompt) return { status: 400, body: { error: 'prompt required' } };
    const drawn = await drawPicture(width, height);
    const name = isCpp ? { sd_model_name: 'sd15.safetensors', version: 'stable-diffusion.cpp' } : undefined;
    const info = JSON.stringify({ seed, all_seeds: [seed], sd_model_name: 'sd_xl_base_1.0', ...name });
    return { body: { images: [drawn.toString('base64')], parameters: json, info } };
  };
  return { server, sendAsPicture };
}
const isWork = ({ path }: Pick<Call, 'path'>) => /^\/sdapi\/v1\/(txt|img)2img$/.test(path);

const shared = await startWebUi();
describeIllustrationEngine('a1111', () => open(shared.server));
describe.each(['webui', 'sd.cpp'] as const)('with %s', (kind) => {
  describeRemoteIllustrationEngine('a1111', async () => {
    const webUi = await startWebUi(kind);
    return {
      ...webUi,
      open: (settings) => open(webUi.server, settings),
      isWork,
      isStop: ({ path }) => path === '/sdapi/v1/interrupt',
    };
  });
});

describe('the a1111 engine', () => {
  const { server } = shared;
  beforeEach(() => {
    server.calls.length = 0;
  });
  afterAll(() => server.close());

  it('requests a scene without the product by its prompt alone, in the canvas’s aspect ratio, with sides that are multiples of 64', async () => {
    const engine = await open(server, { longSidePx: 500, checkpoint: 'sd_xl_base_1.0' });
    const canvas = { width: 400, height: 500 };
    const { bytes, seed, model } = await engine.illustrate(await makeRequest('plate-only', { canvas }));
    const [{ path, json }] = server.calls as [Call];
    expect(path).toBe('/sdapi/v1/txt2img');
    expect(json).toMatchObject({
      prompt: 'a bottle on a stone, 50% shade',
      negative_prompt: 'text, people',
      seed: 1234,
      width: 384,
      height: 512,
      steps: 20,
      cfg_scale: 6,
      override_settings: { sd_model_checkpoint: 'sd_xl_base_1.0' },
      batch_size: 1,
      save_images: false,
    });
    expect(json).not.toHaveProperty('mask');
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 384, height: 512 });
    expect([seed, model]).toEqual([1234, 'sd_xl_base_1.0']);
  });

  it('sends our composite, and a gray mask that is white where the engine repaints', async () => {
    const engine = await open(server);
    await engine.illustrate(await makeRequest('scaffold-edit', { canvas: { width: 90, height: 160 } }));
    const [{ path, json }] = server.calls as [Call];
    expect(path).toBe('/sdapi/v1/img2img');
    expect(json).toMatchObject({
      width: 128,
      height: 256,
      denoising_strength: 0.7,
      inpainting_mask_invert: 0,
      inpainting_fill: 1,
      inpaint_full_res: false,
      mask_blur: 4,
    });
    const picture = Buffer.from(json.init_images[0], 'base64');
    const mask = Buffer.from(json.mask, 'base64');
    expect(await probe(picture)).toEqual({ product: [255, 0, 0], elsewhere: [0, 0, 255], size: [128, 256] });
    expect(await probe(mask)).toEqual({ product: [0], elsewhere: [255], size: [128, 256] });
    // If there were an alpha channel, the web UI would use it as the mask.
    expect((await sharp(mask).metadata()).hasAlpha).toBe(false);
  });

  it('names no checkpoint if none is configured', async () => {
    const engine = await open(server);
    await engine.illustrate(await makeRequest('plate-only'));
    expect(server.calls[0]?.json).not.toHaveProperty('override_settings');
    expect(server.calls[0]?.headers.authorization).toBe(`Basic ${secret}`);
  });

  it('reports the seed used, and accepts a picture with a data URL prefix or without info', async () => {
    const engine = await open(server);
    const png = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const answer = async (body: object) => {
      server.interject = () => ({ body });
      return engine.illustrate(await makeRequest('plate-only'));
    };
    const base64 = png.toString('base64');
    expect(await answer({ images: [base64], info: '{"seed":77}' })).toMatchObject({
      seed: 77,
      model: 'a1111',
    });
    expect(await answer({ images: [`data:image/png;base64,${base64}`] })).toMatchObject({ seed: 1234 });
    server.interject = () => undefined;
  });

  it.each([
    [
      { error: 'OutOfMemoryError', detail: '', body: '', errors: 'CUDA out of memory.' },
      'CUDA out of memory.',
    ],
    // stable-diffusion.cpp
    [{ error: 'generate_image returned no results' }, 'returned no results'],
  ])('quotes the server’s error message %o', async (body, quoted) => {
    const engine = await open(server, { retries: 0 });
    server.interject = () => ({ status: 500, body });
    await expect(engine.illustrate(await makeRequest('plate-only'))).rejects.toMatchObject({
      reason: 'broken',
      message: expect.stringContaining(quoted),
    });
    server.interject = () => undefined;
  });

  it('changes its version with checkpoint or steps, but not with the key', async () => {
    const versionOf = async (settings: Partial<A1111Settings>) => (await open(server, settings)).version;
    const own = await versionOf({});
    expect(await versionOf({ headers: {} })).toBe(own);
    expect(await versionOf({ checkpoint: 'other' })).not.toBe(own);
    expect(await versionOf({ steps: 30 })).not.toBe(own);
  });
});
