/** Behavior that is the same in one process and in several, so it is tested only in one. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startFakeComfyui } from '../../src/illustrations/engines/testing/fake-comfyui.ts';
import { answerChat, answerJson, startChatServer } from '../../src/understanding/testing/chat-server.ts';
import {
  choose,
  closeAll,
  drawEmptyPlate,
  generate,
  onClose,
  repaint,
  sharesOf,
  startOpenAi,
  startWith,
} from './painted-scenes.ts';
import { jsonOf, startService } from './service.ts';

const workflow = fileURLToPath(
  new URL('../../docs/illustration-engines/comfyui-inpaint.json', import.meta.url),
);
afterEach(closeAll);

describe('the design flow with an engine', () => {
  it('paints suggested scenes without a request if the operator enables it', async () => {
    const { environment } = await startOpenAi();
    const { service, id } = await startWith({ ...environment, ILLUSTRATE: 'suggested' });
    const chosen = await choose(service, id);
    const preview = (headers = {}) => service.call('/v1/design/preview.png', { json: chosen, headers });
    const known = { 'if-none-match': (await preview()).headers.get('etag')! };
    const painted = await vi.waitFor(
      async () => {
        // Until the picture changes, the service responds with 304 and draws nothing.
        const answer = await preview(known);
        expect(answer.status).toBe(200);
        return answer;
      },
      { timeout: 80_000, interval: 100 },
    );
    expect((await sharesOf(painted)).painted).toBeGreaterThan(0.5);
  }, 90_000);

  it('places the product on an empty plate painted by an engine without mask support', async () => {
    const { environment } = await startOpenAi(drawEmptyPlate);
    const { service, id } = await startWith({ ...environment, IMAGE_MODES: 'plate-only' });
    const full = await generate(service, await choose(service, id));
    expect(full.headers.get('x-packshot-notice')).toBeNull();
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
    onClose(() => fake.server.close());
    const { service, id } = await startWith({
      ILLUSTRATION_ENGINE: 'comfyui',
      COMFYUI_URL: fake.server.origin,
      COMFYUI_WORKFLOW: workflow,
    });
    const full = await generate(service, await choose(service, id));
    expect(full.headers.get('x-packshot-notice')).toBeNull();
    expect((await sharesOf(full)).painted).toBeGreaterThan(0.5);
  });
});

describe('a language model that reads prompts', () => {
  it('reads a Japanese prompt, which the scenes then follow', async () => {
    let up = true;
    const server = await startChatServer((response) => {
      if (!up) return answerJson(response, 500, {});
      answerChat(response, {
        wall: { tint: 'light', color: 'sage', material: 'plaster' },
        floor: { tint: null, color: null, material: null },
        stand: { tint: null, color: 'white', material: 'marble' },
        accent: { tint: null, color: null, material: null },
        shows: ['podium'],
        pattern: 'window',
        light: 'warm',
        mood: null,
        unwanted: [],
        kind: 'Home & Garden',
        staging: 'upright-squat',
        titleOfWords: 'あなたの言葉から',
        titleOfPicked: '',
        englishPrompt: 'a white marble podium before a pale sage wall, warm window light',
      });
    });
    onClose(() => server.close());
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

it('a missing setting of an engine is reported at the start', async () => {
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
