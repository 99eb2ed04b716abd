/** Settings of scenes: when an image model paints them, its budget, and the language model that reads prompts. */
import { z } from 'zod';
import { chooseIllustrationEngine, engineSettings, findModel, modelName } from './illustration-engines.ts';
import { fixedLimits } from './limits.ts';
import { list, missing, setting, unfit, whole } from './setting.ts';

const sees = z.enum(['true', 'false']);

export const sceneSettings = {
  ...engineSettings,
  ILLUSTRATE: setting(
    z.enum(['suggested', 'chosen']).default('suggested'),
    'With `suggested`, the illustration engine paints every suggested scene; with `chosen`, only scenes whose full version is requested.',
  ),
  ILLUSTRATION_PATIENCE_MS: setting(
    whole(0, 600_000).optional(),
    'How long a full version waits for the engine before the studio draws it; at most FULL_DEADLINE_MS minus one second. Default: half of FULL_DEADLINE_MS.',
  ),
  ILLUSTRATION_BUDGET_USD: setting(
    z.coerce.number().min(0).max(1e6).optional(),
    'Budget in US dollars per API key for 30 days. Keys that replace each other by rotation share one budget. Once the budget is spent, the studio draws the scenes. Needs ILLUSTRATION_PRICE_USD.',
  ),
  ILLUSTRATION_PRICE_USD: setting(
    z.coerce.number().min(0).max(100).optional(),
    "Price of one picture in US dollars, from your provider's price list; providers do not report the price in their responses.",
  ),
  PLANNER_MODEL: setting(
    modelName.optional(),
    'Language model that interprets prompts in any language, as `provider:model`; the provider is `openai`, `google` or `openai-compatible`. By default, built-in rules interpret prompts. Uses the API keys above.',
  ),
  PLANNER_SEES_PICTURE: setting(
    sees.default('true'),
    'Whether the language model receives a small picture of the product with each prompt. With `false` and KIND_DETECTOR=rules, it receives no pictures.',
  ),
  KIND_DETECTOR: setting(
    z.enum(['rules', 'model']).default('rules'),
    'How the product is classified: by `rules` (outline, file name), or by `model`, the language model of PLANNER_MODEL. For this, the model receives a small picture of the product, even with PLANNER_SEES_PICTURE=false.',
  ),
  ILLUSTRATION_ALLOW: setting(
    list,
    "Hosts (`host` or `host:port`) whose pictures callers may use as illustrations, by giving a picture's URL in `mutations`.",
  ),
  SETS_DIR: setting(
    z.string().min(1).optional(),
    'Folder with your own sets and places, one JSON file each, beside the built-in ones. Checked at the start: one file that is wrong stops it.',
  ),
  SCENE_DETAIL: setting(
    z.enum(['normal', 'draft']).default('normal'),
    'With `draft`, scenes are traced at an eighth to a fifth of their size and enlarged, which takes a fraction of the time. For automated tests of your own client, not for pictures that people see.',
  ),
  DRAW_AHEAD: setting(
    z.enum(['off', 'preview']).default('preview'),
    '`preview` renders previews of suggested scenes ahead of requests, while the service is idle; `off` renders them only on request. With ROLE=all and RENDER_WORKERS=1 (the default with REMOVAL_MEMORY=small), nothing is rendered ahead, because the only process is reserved for requests.',
  ),
};

/** Illustrations that one process draws at once for one account's signed URIs. Up to 8 times as many requests wait. */
const mostKeylessDraws = 4;
/** Pictures that one process requests from the illustration engine at a time. */
const paintingsAtOnce = 2;
/** Time limit for a response of the language model. */
const plannerTimeoutMs = 10_000;

type SceneEnvironment = z.output<z.ZodObject<typeof sceneSettings>>;

/** Settings of other sections on which the settings of scenes depend. */
interface SharedEnvironment {
  readonly FULL_DEADLINE_MS: number;
  readonly MAX_FILE_BYTES: number;
}

/** The scenes section. Throws `ConfigError` for settings that conflict. */
export function chooseScenes(env: SceneEnvironment & SharedEnvironment) {
  return {
    painting: {
      engine: chooseIllustrationEngine(env),
      when: env.ILLUSTRATE,
      patienceMs: choosePatience(env, env.FULL_DEADLINE_MS),
      limits: choosePaintingLimits(env),
    },
    drawAhead: env.DRAW_AHEAD,
    setsDir: env.SETS_DIR,
    detail: env.SCENE_DETAIL,
    mostKeylessDraws,
    language: {
      model: chooseLanguageModel(env),
      seesPicture: env.PLANNER_SEES_PICTURE === 'true',
      detectsKind: env.KIND_DETECTOR === 'model',
    },
    foreign: {
      allow: env.ILLUSTRATION_ALLOW,
      maxBytes: env.MAX_FILE_BYTES,
      totalTimeoutMs: fixedLimits.urlFetch.totalTimeoutMs,
    },
  };
}

/** Minimum time left for the studio after waiting for the engine. */
const leastForStudioMs = 1_000;

function choosePatience(env: SceneEnvironment, fullDeadlineMs: number): number {
  // By default, half of the deadline is left for the studio, in case the engine fails or is late.
  const patienceMs = env.ILLUSTRATION_PATIENCE_MS ?? fullDeadlineMs / 2;
  const most = Math.max(0, fullDeadlineMs - leastForStudioMs);
  if (env.ILLUSTRATION_PATIENCE_MS === undefined || patienceMs <= most) return patienceMs;
  throw unfit(
    'ILLUSTRATION_PATIENCE_MS',
    `must be at most ${most}, so that the studio can draw within FULL_DEADLINE_MS`,
  );
}

function choosePaintingLimits(env: SceneEnvironment) {
  const priced = env.ILLUSTRATION_PRICE_USD !== undefined;
  if (env.ILLUSTRATION_ENGINE !== 'studio' && env.ILLUSTRATION_BUDGET_USD !== undefined && !priced) {
    throw missing('ILLUSTRATION_PRICE_USD', 'ILLUSTRATION_BUDGET_USD');
  }
  return {
    concurrency: paintingsAtOnce,
    timeoutMs: env.ILLUSTRATION_TIMEOUT_MS,
    budgetUsd: env.ILLUSTRATION_BUDGET_USD ?? null,
    priceUsd: env.ILLUSTRATION_PRICE_USD ?? null,
  };
}

/** The language model that interprets prompts; undefined if built-in rules interpret all prompts. */
function chooseLanguageModel(env: SceneEnvironment) {
  if (env.PLANNER_MODEL !== undefined) {
    return { ...findModel(env, env.PLANNER_MODEL), timeoutMs: plannerTimeoutMs };
  }
  if (env.KIND_DETECTOR === 'model') throw missing('PLANNER_MODEL', 'KIND_DETECTOR=model');
  return undefined;
}
