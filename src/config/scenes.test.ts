import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { sceneSettings } from './scenes.ts';
import { ConfigError } from './setting.ts';

const scenesOf = (environment: Record<string, string>) => loadConfig(environment).scenes;
const engineOf = (environment: Record<string, string>) => scenesOf(environment).painting.engine;
const key = 'sk-0123456789';
const compatible = {
  ILLUSTRATION_ENGINE: 'ai-sdk',
  IMAGE_MODEL: 'openai-compatible:flux',
  OPENAI_COMPATIBLE_BASE_URL: 'http://gpu:8000/v1',
};
const a1111 = { ILLUSTRATION_ENGINE: 'a1111' };
const comfyui = { ILLUSTRATION_ENGINE: 'comfyui', COMFYUI_WORKFLOW: 'w.json' };
const planner = { PLANNER_MODEL: 'openai-compatible:qwen', OPENAI_COMPATIBLE_BASE_URL: 'http://gpu:8000/v1' };

/** By variable: other variables that it needs, a valid value with the resulting settings, and invalid values. */
const variables: Record<
  string,
  { with?: Record<string, string>; good: [string, object | undefined]; bad?: string[] }
> = {
  ILLUSTRATION_ENGINE: {
    good: ['studio', { painting: { engine: { engine: 'studio' } } }],
    bad: ['midjourney'],
  },
  ILLUSTRATE: { good: ['chosen', { painting: { when: 'chosen' } }], bad: ['always'] },
  ILLUSTRATION_TIMEOUT_MS: {
    good: ['9000', { painting: { limits: { timeoutMs: 9_000 } } }],
    bad: ['999', '300001'],
  },
  ILLUSTRATION_PATIENCE_MS: {
    with: { FULL_DEADLINE_MS: '20000' },
    good: ['19000', { painting: { patienceMs: 19_000 } }],
    bad: ['-1', 'long', '19001', '600000'],
  },
  ILLUSTRATION_LONG_SIDE_PX: {
    with: a1111,
    good: ['768', { painting: { engine: { longSidePx: 768 } } }],
    bad: ['511', '2049'],
  },
  ILLUSTRATION_BUDGET_USD: { good: ['2.5', { painting: { limits: { budgetUsd: 2.5 } } }], bad: ['-1'] },
  ILLUSTRATION_PRICE_USD: { good: ['0.04', { painting: { limits: { priceUsd: 0.04 } } }], bad: ['-1'] },
  IMAGE_MODEL: {
    with: compatible,
    good: ['openai-compatible:z/flux', { painting: { engine: { model: 'openai-compatible:z/flux' } } }],
    bad: ['flux', 'openai:'],
  },
  IMAGE_MODES: {
    with: compatible,
    good: ['plate-only, scaffold-edit', { painting: { engine: { modes: ['plate-only', 'scaffold-edit'] } } }],
    bad: ['in-scene'],
  },
  OPENAI_API_KEY: {
    with: { ...compatible, IMAGE_MODEL: 'openai:gpt-image-1' },
    good: [key, { painting: { engine: { apiKey: key } } }],
    bad: ['two words'],
  },
  GOOGLE_GENERATIVE_AI_API_KEY: {
    with: { ...compatible, IMAGE_MODEL: 'google:gemini-image' },
    good: [key, { painting: { engine: { apiKey: key } } }],
    bad: ['two words'],
  },
  FAL_API_KEY: {
    with: { ...compatible, IMAGE_MODEL: 'fal:flux' },
    good: [key, { painting: { engine: { apiKey: key } } }],
    bad: ['two words'],
  },
  REPLICATE_API_TOKEN: {
    with: { ...compatible, IMAGE_MODEL: 'replicate:flux' },
    good: [key, { painting: { engine: { apiKey: key } } }],
    bad: ['two words'],
  },
  OPENAI_COMPATIBLE_BASE_URL: {
    with: compatible,
    good: ['https://gpu/v1', { painting: { engine: { baseUrl: 'https://gpu/v1' } } }],
    bad: ['gpu:8000', 'http://me:secret@gpu/v1', 'http://:secret@gpu/v1'],
  },
  OPENAI_COMPATIBLE_API_KEY: {
    with: compatible,
    good: [key, { painting: { engine: { apiKey: key } } }],
    bad: ['two words'],
  },
  COMFYUI_URL: {
    with: comfyui,
    good: ['http://gpu:8188/api', { painting: { engine: { url: 'http://gpu:8188/api' } } }],
    bad: ['gpu', 'http://me@gpu', 'http://:secret@gpu'],
  },
  COMFYUI_WORKFLOW: {
    with: comfyui,
    good: ['flows/w.json', { painting: { engine: { workflowFile: join(process.cwd(), 'flows/w.json') } } }],
  },
  COMFYUI_HEADERS: {
    with: comfyui,
    good: ['X-Key: one', { painting: { engine: { headers: { 'x-key': 'one' } } } }],
    bad: ['no header'],
  },
  A1111_URL: {
    with: a1111,
    good: ['http://gpu:7860', { painting: { engine: { url: 'http://gpu:7860' } } }],
    bad: ['gpu', 'http://me@gpu', 'http://:secret@gpu'],
  },
  A1111_HEADERS: {
    with: a1111,
    good: ['Authorization: Basic x', { painting: { engine: { headers: { authorization: 'Basic x' } } } }],
    bad: ['no header'],
  },
  A1111_CHECKPOINT: { with: a1111, good: ['xl', { painting: { engine: { checkpoint: 'xl' } } }] },
  A1111_STEPS: { with: a1111, good: ['8', { painting: { engine: { steps: 8 } } }], bad: ['0', '151'] },
  A1111_CFG_SCALE: { with: a1111, good: ['1', { painting: { engine: { cfgScale: 1 } } }], bad: ['0', '31'] },
  PLANNER_MODEL: {
    with: planner,
    good: ['openai-compatible:llama', { language: { model: { model: 'openai-compatible:llama' } } }],
    bad: ['llama'],
  },
  PLANNER_SEES_PICTURE: { with: planner, good: ['false', { language: { seesPicture: false } }], bad: ['no'] },
  KIND_DETECTOR: { with: planner, good: ['model', { language: { detectsKind: true } }], bad: ['guess'] },
  ILLUSTRATION_ALLOW: { good: ['cdn.example, b:81', { foreign: { allow: ['cdn.example', 'b:81'] } }] },
  DRAW_AHEAD: { good: ['off', { drawAhead: 'off' }], bad: ['full'] },
  SETS_DIR: { good: ['/sets', { setsDir: '/sets' }] },
  SCENE_DETAIL: { good: ['draft', { detail: 'draft' }], bad: ['fine'] },
};

const entries = Object.entries(variables).map(([name, entry]) => ({ name, ...entry }));

describe('the variables of scenes', () => {
  it('each have a test case here', () => {
    expect(Object.keys(variables).toSorted()).toEqual(Object.keys(sceneSettings).toSorted());
  });

  it.each(entries)('$name is read', ({ name, good: [value, arrives], ...entry }) => {
    expect(scenesOf({ ...entry.with, [name]: value })).toMatchObject(arrives!);
  });

  it.each(entries.flatMap(({ bad = [], ...entry }) => bad.map((value) => ({ ...entry, value }))))(
    '$name=$value prevents startup, and the error names the variable',
    ({ name, value, ...entry }) => {
      expect(() => loadConfig({ ...entry.with, [name]: value })).toThrow(ConfigError);
      expect(() => loadConfig({ ...entry.with, [name]: value })).toThrow(new RegExp(`^ {2}${name}: `, 'm'));
    },
  );
});

describe('an illustration engine', () => {
  it.each([
    [{ ILLUSTRATION_ENGINE: 'ai-sdk' }, 'IMAGE_MODEL'],
    [{ ILLUSTRATION_ENGINE: 'ai-sdk', IMAGE_MODEL: 'openai:gpt-image-1' }, 'OPENAI_API_KEY'],
    [{ ILLUSTRATION_ENGINE: 'ai-sdk', IMAGE_MODEL: 'fal:flux' }, 'FAL_API_KEY'],
    [{ ILLUSTRATION_ENGINE: 'comfyui' }, 'COMFYUI_WORKFLOW'],
    [{ ...a1111, ILLUSTRATION_BUDGET_USD: '5' }, 'ILLUSTRATION_PRICE_USD'],
    [{ KIND_DETECTOR: 'model' }, 'PLANNER_MODEL'],
    [{ PLANNER_MODEL: 'openai-compatible:qwen' }, 'OPENAI_COMPATIBLE_BASE_URL'],
  ])('%j without %s is refused at the start', (environment, missing) => {
    expect(() => loadConfig(environment as Record<string, string>)).toThrow(new RegExp(`${missing}: needed`));
  });

  it('that is unknown or no longer exists is refused with a sentence that names the others', () => {
    expect(() => loadConfig({ ILLUSTRATION_ENGINE: 'diffusion' })).toThrow(
      /ILLUSTRATION_ENGINE: must be `studio`, `ai-sdk`, `comfyui` or `a1111`; a model on your own machine/,
    );
  });

  it('is not configured by default, and its default patience is half of the full version’s deadline', () => {
    expect(engineOf({})).toEqual({ engine: 'studio' });
    expect(scenesOf({ FULL_DEADLINE_MS: '20000' }).painting.patienceMs).toBe(10_000);
  });

  it('may have a patience of 0, and has a short default patience with a short deadline', () => {
    const hurried = { FULL_DEADLINE_MS: '100' };
    expect(scenesOf(hurried).painting.patienceMs).toBe(50);
    expect(scenesOf({ ...hurried, ILLUSTRATION_PATIENCE_MS: '0' }).painting.patienceMs).toBe(0);
  });
});
