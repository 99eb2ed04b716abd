import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startFakeComfyui } from '../../src/illustrations/engines/testing/fake-comfyui.ts';
import { startFakeProviders } from '../../src/illustrations/engines/testing/fake-providers.ts';
import { type FakeServer, readFile } from '../../src/illustrations/engines/testing/fake-server.ts';
import { answerChat, answerJson, startChatServer } from '../../src/scenes/testing/chat-server.ts';
import { packshot } from './command.ts';
import { cratePhoto, jsonOf, pixelsOf, type Service, startService } from './service.ts';

/** A colour that no studio set has on its own. */
const paint = '#2fb3a8';
const secret = 'sk-a-secret-that-no-answer-and-no-log-may-hold';
const workflow = fileURLToPath(
  new URL('../../docs/illustration-engines/comfyui-inpaint.json', import.meta.url),
);
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** What an engine with good manners answers: all repainted but the product, by our mask in whatever polarity. */
async function repaint(picture: Uint8Array, keep: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const kept = await sharp(keep).extractChannel(0).raw().toBuffer();
  for (let i = 0; i < kept.length; i++) {
    if (kept[i]! < 128) data.set([0x2f, 0xb3, 0xa8], 3 * i);
  }
  return sharp(data, { raw: info }).png().toBuffer();
}

async function startWith(environment: Record<string, string>): Promise<{ service: Service; id: string }> {
  const service = await startService({
    PREVIEW_DEADLINE_MS: '60000',
    FULL_DEADLINE_MS: '60000',
    DRAW_AHEAD: 'off',
    ILLUSTRATE: 'chosen',
    ILLUSTRATION_RETRIES: '0',
    ...environment,
  });
  closers.push(() => service.stop());
  return { service, id: await service.upload(await cratePhoto({ width: 640, height: 480 })) };
}

interface Chosen {
  readonly id: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations: { images: { primaryIllustration: { uri: string; previewUri: string } } };
}

async function choose(service: Service, id: string, body: object = {}): Promise<Chosen> {
  const answer = await jsonOf(
    service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO', ...body } }),
  );
  const { recipeId, variant, mutations } = answer.suggestedRecipeLists[0].recipes[0];
  return { id, recipeId, variant, mutations };
}

const generate = (service: Service, chosen: Chosen, key = service.key) =>
  service.call('/v1/design/generated.png', { json: chosen, key });

/** Shares of pixels that have the engine's paint and the crate's own red. */
async function sharesOf(response: Response): Promise<{ painted: number; crate: number }> {
  const { data, width, height, channels } = await pixelsOf(response);
  const near = (at: number, [r, g, b]: readonly [number, number, number]) =>
    Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b) < 40;
  let painted = 0;
  let crate = 0;
  for (let at = 0; at < data.length; at += channels) {
    if (near(at, [0x2f, 0xb3, 0xa8])) painted++;
    if (near(at, [0x7a, 0x1f, 0x1f])) crate++;
  }
  return { painted: painted / (width * height), crate: crate / (width * height) };
}

/** OpenAI's edits by form: the picture, and a mask that is clear where it is repainted. */
async function answerEdit(server: FakeServer): Promise<Uint8Array> {
  const { form } = server.calls.at(-1)!;
  const picture = new Uint8Array(await readFile(form, 'image').arrayBuffer());
  const mask = new Uint8Array(await readFile(form, 'mask').arrayBuffer());
  return repaint(picture, await sharp(mask).extractChannel('alpha').png().toBuffer());
}

async function startOpenAi(draw: (server: FakeServer) => Promise<Uint8Array> = answerEdit) {
  const fake = await startFakeProviders(() => draw(fake.server));
  closers.push(() => fake.server.close());
  const environment = {
    ILLUSTRATION_ENGINE: 'ai-sdk',
    IMAGE_MODEL: 'openai-compatible:flux-fill',
    IMAGE_MODES: 'scaffold-edit',
    OPENAI_COMPATIBLE_BASE_URL: `${fake.server.origin}/v1`,
    OPENAI_COMPATIBLE_API_KEY: secret,
  };
  return { server: fake.server, environment };
}

const plate = async () =>
  sharp({ create: { width: 1024, height: 1024, channels: 3, background: paint } })
    .png()
    .toBuffer();

describe('the design flow with an engine', () => {
  it('paints around the product by an OpenAI-compatible server, and says how the picture was made', async () => {
    const { server, environment } = await startOpenAi();
    const { service, id } = await startWith(environment);
    const chosen = await choose(service, id, { prompt: 'white marble podium' });
    const full = await generate(service, chosen);
    expect(full.headers.get('warning')).toBeNull();
    const bytes = Buffer.from(await full.clone().arrayBuffer());
    expect((await sharp(bytes).metadata()).xmpAsString).toContain('compositeWithTrainedAlgorithmicMedia');
    const { painted, crate } = await sharesOf(full);
    expect(painted).toBeGreaterThan(0.5);
    expect(crate).toBeGreaterThan(0.05);
    const call = server.calls.find(({ path }) => path === '/v1/images/edits')!;
    expect(String(call.form!.get('prompt'))).toMatch(/marble/);
    expect(call.headers.authorization).toBe(`Bearer ${secret}`);
  });

  it('shows the embedded picture first, and the engine’s own once it is there, under the same URIs', async () => {
    const { environment } = await startOpenAi();
    const { service, id } = await startWith(environment);
    const chosen = await choose(service, id);
    const { previewUri } = chosen.mutations.images.primaryIllustration;
    const preview = () => service.call('/v1/design/preview.png', { json: chosen });
    const early = await preview();
    const earlyTag = early.headers.get('etag');
    expect((await sharesOf(early)).painted).toBeLessThan(0.2);
    const earlyPlate = (await fetch(previewUri)).headers.get('etag');
    await generate(service, chosen);
    const late = await preview();
    expect(late.headers.get('etag')).not.toBe(earlyTag);
    expect((await sharesOf(late)).painted).toBeGreaterThan(0.5);
    expect((await fetch(previewUri)).headers.get('etag')).not.toBe(earlyPlate);
  });

  it('paints what is suggested without being asked, where the operator wants that', async () => {
    const { environment } = await startOpenAi();
    const { service, id } = await startWith({ ...environment, ILLUSTRATE: 'suggested' });
    const chosen = await choose(service, id);
    await vi.waitFor(
      async () => {
        const preview = await service.call('/v1/design/preview.png', { json: chosen });
        expect((await sharesOf(preview)).painted).toBeGreaterThan(0.5);
      },
      { timeout: 80_000, interval: 500 },
    );
  }, 90_000);

  it('sets the product on an empty plate of an engine that knows no masks', async () => {
    const { environment } = await startOpenAi(plate);
    const { service, id } = await startWith({ ...environment, IMAGE_MODES: 'plate-only' });
    const full = await generate(service, await choose(service, id));
    expect(full.headers.get('warning')).toBeNull();
    const { painted, crate } = await sharesOf(full);
    expect(painted).toBeGreaterThan(0.4);
    expect(crate).toBeGreaterThan(0.05);
  });

  it('runs a ComfyUI workflow', async () => {
    const fake = await startFakeComfyui(async (nodes) => {
      const fileOf = (id: string) => fake.uploads.get(String(nodes[id]!.inputs.image))!;
      const keep = await sharp(fileOf('3')).extractChannel('red').negate().png().toBuffer();
      return repaint(fileOf('2'), keep);
    });
    closers.push(() => fake.server.close());
    const { service, id } = await startWith({
      ILLUSTRATION_ENGINE: 'comfyui',
      COMFYUI_URL: fake.server.origin,
      COMFYUI_WORKFLOW: workflow,
    });
    const full = await generate(service, await choose(service, id));
    expect(full.headers.get('warning')).toBeNull();
    expect((await sharesOf(full)).painted).toBeGreaterThan(0.5);
  });
});

describe('an engine that fails', () => {
  const fallback = async (full: Response) => {
    expect(full.status).toBe(200);
    expect(full.headers.get('warning')).toMatch(/illustration_fallback/);
    const { painted, crate } = await sharesOf(full);
    expect(painted).toBeLessThan(0.2);
    expect(crate).toBeGreaterThan(0.05);
    return full.headers.get('warning')!;
  };

  it('is replaced by the studio where it dies in the middle of a call', async () => {
    const { server, environment } = await startOpenAi();
    server.interject = () => 'break';
    const { service, id } = await startWith(environment);
    expect(await fallback(await generate(service, await choose(service, id)))).toMatch(/does not answer/);
  });

  it('is replaced within the deadline where it never answers', async () => {
    const { server, environment } = await startOpenAi();
    server.interject = () => 'silence';
    const { service, id } = await startWith({ ...environment, ILLUSTRATION_PATIENCE_MS: '500' });
    expect(await fallback(await generate(service, await choose(service, id)))).toMatch(/not done yet/);
  });

  it('is replaced where it changes the product, after three tries with three seeds', async () => {
    const { server, environment } = await startOpenAi(plate);
    const { service, id } = await startWith(environment);
    await fallback(await generate(service, await choose(service, id)));
    expect(server.calls.filter(({ path }) => path === '/v1/images/edits')).toHaveLength(3);
  });

  it('is not asked beyond the budget, which a rotated key goes on with', async () => {
    const { server, environment } = await startOpenAi();
    const { service, id } = await startWith({
      ...environment,
      ILLUSTRATION_PRICE_USD: '0.04',
      ILLUSTRATION_BUDGET_USD: '0.04',
    });
    const { suggestedRecipeLists } = await jsonOf(
      service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
    );
    const [first, second] = suggestedRecipeLists[0].recipes.map((recipe: object) => ({ id, ...recipe }));
    const pick = ({ recipeId, variant, mutations }: Chosen) => ({ id, recipeId, variant, mutations });
    expect((await generate(service, pick(first))).headers.get('warning')).toBeNull();
    const env = { DATA_DIR: service.dataDir };
    const tell = async (...words: string[]) =>
      JSON.parse((await packshot(['keys', ...words, '--json'], { env })).stdout.toString());
    const [{ id: oldKey }] = await tell('list');
    const { key } = await tell('rotate', oldKey);
    expect(await fallback(await generate(service, pick(second), key))).toMatch(/budget/);
    expect(server.calls.filter(({ path }) => path === '/v1/images/edits')).toHaveLength(1);
  });

  it('tells no secret in any log or answer', async () => {
    const lines: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    try {
      const { server, environment } = await startOpenAi();
      server.interject = async () => ({ status: 401, body: { error: { message: `bad key ${secret}` } } });
      const { service, id } = await startWith({ ...environment, LOG_LEVEL: 'trace' });
      const warning = await fallback(await generate(service, await choose(service, id)));
      expect(warning).not.toContain(secret);
    } finally {
      write.mockRestore();
    }
    expect(lines.join('')).not.toContain(secret);
  });
});

describe('a language model that reads prompts', () => {
  it('reads one in Japanese, and scenes follow it', async () => {
    let up = true;
    const server = await startChatServer((response) => {
      if (!up) return answerJson(response, 500, {});
      answerChat(response, {
        wall: { tint: 'light', color: 'sage', material: 'plaster' },
        floor: { tint: null, color: null, material: null },
        pedestal: { tint: null, color: 'white', material: 'marble' },
        accent: { tint: null, color: null, material: null },
        composition: 'podium',
        gobo: 'window',
        light: 'warm',
        mood: null,
        shapes: [],
        unwanted: [],
        kind: 'Home & Garden',
        staging: 'upright-squat',
        titleOfWords: 'あなたの言葉から',
        titleOfPicked: '',
        englishPrompt: 'a white marble podium before a pale sage wall, warm window light',
      });
    });
    closers.push(() => server.close());
    const { service, id } = await startWith({
      PLANNER_MODEL: 'openai-compatible:qwen',
      OPENAI_COMPATIBLE_BASE_URL: server.baseUrl,
    });
    const json = { id, recipePreset: 'AI_STUDIO', prompt: '淡いセージ色の壁、白い大理石の台' };
    const answer = await jsonOf(service.call('/v1/design/suggest', { json }));
    expect(answer.prompt).toMatchObject({ readBy: 'model' });
    expect(answer.prompt.understood.join(' ')).toMatch(/marble/);
    expect(answer.suggestedRecipeLists[0].title).toBe('あなたの言葉から');
    up = false;
    const other = await jsonOf(service.call('/v1/design/suggest', { json: { ...json, prompt: 'marble' } }));
    expect(other.prompt).toMatchObject({ readBy: 'rules', understood: ['marble'] });
  });
});

it('says at the start what an engine lacks', async () => {
  const without = (environment: Record<string, string>) => expect(startService(environment)).rejects;
  await without({ ILLUSTRATION_ENGINE: 'ai-sdk' }).toThrow(/IMAGE_MODEL/);
  await without({ ILLUSTRATION_ENGINE: 'ai-sdk', IMAGE_MODEL: 'openai:gpt-image-1' }).toThrow(
    /OPENAI_API_KEY/,
  );
  await without({ ILLUSTRATION_ENGINE: 'comfyui' }).toThrow(/COMFYUI_WORKFLOW/);
  await without({
    ILLUSTRATION_ENGINE: 'comfyui',
    COMFYUI_WORKFLOW: join('nowhere', 'workflow.json'),
  }).toThrow(/workflow/i);
});
