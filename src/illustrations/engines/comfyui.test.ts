import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  describeIllustrationEngine,
  describeRemoteIllustrationEngine,
  makeRequest,
  probe,
  secret,
} from '../painting/illustration-engine.contract.ts';
import type { IllustrationEngine } from '../painting/illustration-engine.ts';
import { type ComfyuiSettings, openComfyui } from './comfyui.ts';
import { startFakeComfyui } from './testing/fake-comfyui.ts';
import { createPictureToSend } from './testing/fake-server.ts';

const docs = fileURLToPath(new URL('../../../docs/illustration-engines/', import.meta.url));
const inpaint = join(docs, 'comfyui-inpaint.json');
const textToImage = join(docs, 'comfyui-text-to-image.json');
const folder = await mkdtemp(join(tmpdir(), 'packshot-comfyui-'));

const open = (url: string, settings: Partial<ComfyuiSettings> = {}) =>
  openComfyui({
    url,
    workflowFile: inpaint,
    headers: {},
    longSidePx: 256,
    timeoutMs: 10_000,
    retries: 2,
    wait: (ms, signal) => sleep(Math.min(ms, 20), undefined, { signal }),
    ...settings,
  });

async function startBench() {
  const { drawPicture, sendAsPicture } = createPictureToSend();
  const fake = await startFakeComfyui(() => drawPicture());
  return { fake, server: fake.server, sendAsPicture };
}

const { fake } = await startBench();
const { server } = fake;
beforeEach(() => {
  server.calls.length = 0;
  server.interject = () => undefined;
  fake.uploads.clear();
  Object.assign(fake, { fate: 'done', emptyLooks: 1, namesPrompts: false });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describeIllustrationEngine('comfyui', () => open(server.origin));
describeRemoteIllustrationEngine('comfyui', async () => {
  const bench = await startBench();
  const headers = { authorization: `Bearer ${secret}` };
  return {
    ...bench,
    open: (settings) => open(bench.server.origin, { headers, ...settings }),
    isWork: ({ method, path }) => method === 'POST' && path === '/prompt',
    isStop: ({ method, path, json }) => method === 'POST' && path === '/queue' && json.delete.length === 1,
  };
});

const edit = async (engine: IllustrationEngine, canvas = { width: 90, height: 160 }) =>
  engine.illustrate(await makeRequest('scaffold-edit', { canvas }));
const promptOf = () => server.calls.find(({ path }) => path.endsWith('/prompt'))?.json;

describe('the comfyui engine', () => {
  it('uploads our composite, and a mask that every loader reads as 1 where the engine repaints', async () => {
    await edit(await open(server.origin));
    const { prompt } = promptOf();
    const picture = fake.uploads.get(prompt['2'].inputs.image);
    const mask = fake.uploads.get(prompt['3'].inputs.image);
    expect(await probe(picture!)).toEqual({ product: [255, 0, 0], elsewhere: [0, 0, 255], size: [144, 256] });
    // LoadImageMask reads value / 255 from red, green and blue, and 1 - value / 255 from alpha. LoadImage reads alpha
    // the same way.
    expect(await probe(mask!)).toEqual({
      product: [0, 0, 0, 255],
      elsewhere: [255, 255, 255, 0],
      size: [144, 256],
    });
    for (const { form } of server.calls.filter(({ path }) => path === '/upload/image'))
      expect([form?.get('type'), form?.get('overwrite')]).toEqual(['input', 'true']);
  });

  it('gives its files unique names', async () => {
    const engine = await open(server.origin);
    await Promise.all([edit(engine), edit(engine)]);
    expect(fake.uploads.size).toBe(4);
  });

  it('fills in strings and numbers, and keeps the rest of the workflow', async () => {
    const engine = await open(server.origin, { workflowFile: textToImage });
    expect(engine.modes).toEqual(['plate-only']);
    const brief = { prompt: 'a "stone" at %seed%', negativePrompt: 'text' };
    const request = await makeRequest('plate-only', { brief, canvas: { width: 200, height: 100 } });
    const { model, seed, warnings } = await engine.illustrate(request);
    const { prompt } = promptOf();
    expect(prompt['3'].inputs).toEqual({ text: 'a "stone" at %seed%', clip: ['1', 1] });
    expect(prompt['2'].inputs).toEqual({ width: 256, height: 128, batch_size: 1 });
    expect(prompt['5'].inputs).toMatchObject({ seed: 1234, steps: 28, cfg: 6, denoise: 1 });
    expect([model, seed, warnings]).toEqual(['sd_xl_base_1.0.safetensors', 1234, []]);
    expect(server.calls.some(({ path }) => path === '/upload/image')).toBe(false);
  });

  it('polls until the picture is ready, and sends its headers with each request', async () => {
    fake.emptyLooks = 4;
    await edit(await open(server.origin, { headers: { authorization: `Bearer ${secret}` } }));
    expect(server.calls.filter(({ path }) => path.startsWith('/history/')).length).toBe(5);
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(
      server.calls.map(() => `Bearer ${secret}`),
    );
  });

  it('calls only paths below the path of its URL', async () => {
    await edit(await open(`${server.origin}/api/`, { headers: { 'x-token': secret } }));
    expect(server.calls.length).toBeGreaterThan(3);
    expect(server.calls.every(({ path }) => path.startsWith('/api/'))).toBe(true);
  });

  it('prefers saved pictures, and otherwise fetches those of other nodes', async () => {
    const image = (filename: string, type: string, subfolder = '') => ({
      images: [{ filename, subfolder, type }],
    });
    fake.fate = { outputs: { '1': image('mask.png', 'temp'), '10': image('a b.png', 'output', 'sub') } };
    await edit(await open(server.origin));
    const view = server.calls.find(({ path }) => path === '/view');
    expect(Object.fromEntries(view!.query)).toEqual({
      filename: 'a b.png',
      subfolder: 'sub',
      type: 'output',
    });
    server.calls.length = 0;
    fake.fate = { outputs: { '4': { text: ['hello'] }, '1': image('shown.png', 'temp') } };
    await edit(await open(server.origin));
    expect(server.calls.find(({ path }) => path === '/view')?.query.get('filename')).toBe('shown.png');
  });

  it('quotes ComfyUI’s error for a node that it cannot run', async () => {
    const details = "ckpt_name: 'sd_xl_base_1.0.safetensors' not in []";
    const errors = [{ type: 'value_not_in_list', message: 'Value not in list', details, extra_info: {} }];
    const body = {
      error: {
        type: 'prompt_outputs_failed_validation',
        message: 'Prompt outputs failed validation',
        details: '',
      },
      node_errors: { '1': { errors, dependent_outputs: ['10'], class_type: 'CheckpointLoaderSimple' } },
    };
    server.interject = ({ path }) => (path === '/prompt' ? { status: 400, body } : undefined);
    await expect(edit(await open(server.origin))).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining(`node 1 (CheckpointLoaderSimple): Value not in list: ${details}`),
    });
  });

  it.each<[string, object, string, RegExp]>([
    ['an error in a node', { error: 'CUDA out of memory' }, 'refused', /KSampler: CUDA out of memory/],
    ['a result without a picture', { outputs: {} }, 'broken', /without a picture/],
  ])('reports %s', async (_, fate, reason, message) => {
    Object.assign(fake, { fate });
    await expect(edit(await open(server.origin))).rejects.toMatchObject({
      reason,
      message: expect.stringMatching(message),
    });
  });

  it.each<['running' | 'waiting', boolean, string]>([
    ['running', true, 'a newer'],
    ['waiting', false, 'a newer'],
    ['running', true, 'an older'],
    ['waiting', false, 'an older'],
  ])(
    'removes a %s prompt from the queue when its caller aborts (also interrupts it: %s; %s version of ComfyUI)',
    async (fate, interrupts, version) => {
      fake.fate = fate;
      fake.namesPrompts = version === 'an older';
      const enough = new Error('enough');
      const controller = new AbortController();
      const engine = await open(server.origin);
      const request = await makeRequest('scaffold-edit', { signal: controller.signal });
      const asking = engine.illustrate(request);
      await server.seen(({ path }) => path.startsWith('/history/'));
      controller.abort(enough);
      await expect(asking).rejects.toBe(enough);
      await engine.close();
      const id = server.calls
        .find(({ path }) => path.startsWith('/history/'))!
        .path.slice('/history/'.length);
      const posted = (path: string) =>
        server.calls.find((call) => call.path === path && call.method === 'POST');
      expect(posted('/queue')?.json).toEqual({ delete: [id] });
      expect(posted('/interrupt')?.json).toEqual(interrupts ? { prompt_id: id } : undefined);
    },
  );

  it.each<[string, (call: { path: string }) => object | undefined]>([
    ['polling fails permanently', ({ path }) => (path.startsWith('/history/') ? { status: 403 } : undefined)],
    [
      'polling returns an HTML page',
      ({ path }) => (path.startsWith('/history/') ? { body: '<h1>Starting</h1>' } : undefined),
    ],
  ])('removes its prompt from the queue if %s', async (_, interject) => {
    fake.fate = 'running';
    server.interject = interject;
    const engine = await open(server.origin);
    await expect(edit(engine)).rejects.toThrow();
    await engine.close();
    expect(server.calls.find(({ path, method }) => path === '/queue' && method === 'POST')?.json).toEqual({
      delete: [promptOf().prompt_id],
    });
    expect(server.calls.some(({ path }) => path === '/interrupt')).toBe(true);
  });

  it('sends no cancellation after its prompt has ended', async () => {
    fake.fate = { error: 'CUDA out of memory' };
    const engine = await open(server.origin);
    await expect(edit(engine)).rejects.toThrow();
    await engine.close();
    expect(server.calls.some(({ path }) => path === '/queue')).toBe(false);
  });

  it('warns if the workflow has neither a seed nor a negative prompt', async () => {
    const nodes = { '1': { class_type: 'X', inputs: { text: '%prompt%', image: '%image%' } } };
    const workflowFile = join(folder, 'seedless.json');
    await writeFile(workflowFile, JSON.stringify(nodes));
    fake.fate = { outputs: { '1': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } } };
    const engine = await open(server.origin, { workflowFile });
    const { seed, warnings, model } = await engine.illustrate(await makeRequest('instruct-edit'));
    expect([engine.modes, seed, model]).toEqual([['instruct-edit'], undefined, 'seedless.json']);
    expect(warnings).toEqual([expect.stringMatching(/%seed%/), expect.stringMatching(/%negative%/)]);
  });

  it('changes its version with workflow or server, but not with the key', async () => {
    const versionOf = async (settings: Partial<ComfyuiSettings>) =>
      (await open(server.origin, settings)).version;
    const own = await versionOf({});
    expect(await versionOf({ headers: { 'x-token': secret } })).toBe(own);
    expect(await versionOf({ workflowFile: textToImage })).not.toBe(own);
    expect(await versionOf({ url: 'http://127.0.0.1:8188' })).not.toBe(own);
  });

  it.each<[string, unknown, RegExp]>([
    ['the editor’s format', { nodes: [], links: [], version: 0.4 }, /Export \(API\)/],
    ['a list', [], /API format/],
    ['nothing', {}, /API format/],
    ['nodes without inputs', { '1': { class_type: 'X' } }, /API format/],
    ['no prompt', { '1': { class_type: 'X', inputs: { text: '%promt%' } } }, /no %prompt%/],
    [
      'a mask without a picture',
      { '1': { class_type: 'X', inputs: { a: '%prompt% %mask%' } } },
      /without %image%/,
    ],
  ])('does not open a workflow file with %s', async (_, json, message) => {
    const workflowFile = join(folder, 'unfit.json');
    await writeFile(workflowFile, JSON.stringify(json));
    await expect(open(server.origin, { workflowFile })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(message),
    });
  });

  it('does not open with a missing or invalid workflow file', async () => {
    await expect(open(server.origin, { workflowFile: join(folder, 'absent.json') })).rejects.toThrow(
      /cannot be read/,
    );
    await writeFile(join(folder, 'words.json'), 'words');
    await expect(open(server.origin, { workflowFile: join(folder, 'words.json') })).rejects.toThrow(
      /is not JSON/,
    );
  });
});
