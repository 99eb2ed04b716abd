/** Draws scenes photo by photo: requests suggestions, renders them, and saves each under a descriptive name. */
import { basename, extname } from 'node:path';
import PQueue from 'p-queue';
import type { CutDesign, RenderInput, Suggestions } from '../../../clients/typescript/src/packshot-client.ts';
import { studioRecipe } from '../../recipes/studio-recipe.ts';
import { type CheckOptions, checkPicture } from '../shared/check-pictures.ts';
import { type LentLook, lookExtension, writeLook } from '../shared/look-files.ts';
import type { Service } from '../shared/service-client.ts';
import { createFreshKeeper, writeWhole } from './output-folder.ts';
import { type FormatChoice, toFormat } from './picture-target.ts';
import type { RunReport } from './report-run.ts';

export interface SceneOptions extends CheckOptions {
  readonly prompt?: string;
  readonly preset: string;
  readonly ratio?: string;
  readonly count: number;
  /** Path of a picture. */
  readonly backdrop?: string;
  /** File or id of a look (a saved scene or recipe). */
  readonly look?: string;
  /** Whether to write a look file beside each picture. */
  readonly saveLooks?: boolean;
  readonly out: string;
  readonly format: FormatChoice;
  readonly quality?: number;
  readonly preview?: boolean;
  readonly match?: 'light';
  /** Whether pictures keep tags of their photo's metadata. */
  readonly keepMetadata?: boolean;
}

type Backdrop = NonNullable<NonNullable<RenderInput['mutations']>['images']>['primaryIllustration'];

interface Dependencies {
  readonly options: SceneOptions;
  readonly service: Service;
  readonly report: RunReport;
  /** An uploaded backdrop, used instead of suggested scenes. */
  readonly backdrop: Backdrop | undefined;
  /** Used instead of suggested scenes. */
  readonly look: LentLook | undefined;
  /** When aborted, renders that have not started are skipped. */
  readonly stopping: AbortSignal;
}

interface Scene extends Pick<RenderInput, 'recipeId' | 'variant' | 'mutations'> {
  readonly title: string;
}

interface PhotoContext {
  readonly file: string;
  /** Stem of the pictures' names. */
  readonly stem: string;
  readonly signal: AbortSignal;
}

export function createSceneDrawer(needs: Dependencies) {
  const { options, service, report, stopping } = needs;
  const { client } = service;
  const queue = new PQueue({ concurrency: service.calls });
  const keepFresh = createFreshKeeper(options.out);
  const format = toFormat(options.format);
  const told = new Set<string>();

  function tellUnused(unused: Unused): void {
    for (const [reasons, says] of unusedWords) {
      const words = unused.filter(({ reason }) => reasons.includes(reason)).map((one) => one.words);
      const fresh = words.filter((word) => !told.has(word));
      for (const word of fresh) told.add(word);
      if (fresh.length > 0) report.say(`${says}: ${fresh.join(', ')}`);
    }
  }

  async function drawOne(
    { id, subject }: CutDesign,
    { title, ...recipe }: Scene,
    { file, stem, signal }: PhotoContext,
  ): Promise<void> {
    signal.throwIfAborted();
    if (stopping.aborted) return;
    const begunAt = performance.now();
    report.begin(file);
    const { quality, match, keepMetadata } = options;
    const drawnRecipe =
      match === undefined ? recipe : { ...recipe, mutations: { ...recipe.mutations, match } };
    const request = {
      id,
      ...drawnRecipe,
      ...(quality !== undefined && { quality }),
      ...(keepMetadata && { metadata: 'photo' as const }),
    };
    const drawn = options.preview
      ? await client.preview(request, { format, signal })
      : await client.generate(request, { format, signal });
    const bytes = new Uint8Array(await drawn.arrayBuffer());
    const { confidence, issues } = subject;
    const output = await keepFresh(`${stem}-${toSlug(title)}`, options.format, bytes);
    if (options.saveLooks) {
      const name = output.slice(0, -extname(output).length) + lookExtension;
      await writeWhole(name, Buffer.from(await writeLook(client, drawnRecipe, title)));
    }
    report.end({
      file,
      state: 'done',
      output,
      ms: performance.now() - begunAt,
      issues: [...issues, ...drawn.warnings],
      checks: await checkPicture(client, bytes, options.check),
      facts: { title, confidence },
    });
  }

  /** Rejects with the first failure, once all renders have ended. */
  return async function drawScenes(design: CutDesign, standing: PhotoContext): Promise<void> {
    const { scenes, unused } = await findScenes(design, needs, standing.signal);
    tellUnused(unused);
    const drawn = await Promise.allSettled(
      scenes.map((scene) => queue.add(() => drawOne(design, scene, standing))),
    );
    for (const outcome of drawn) if (outcome.status === 'rejected') throw outcome.reason;
  };
}

type Unused = NonNullable<Suggestions['prompt']>['notShown'];

const unusedWords: readonly (readonly [readonly Unused[number]['reason'][], string])[] = [
  [['not_drawable'], 'Cannot be shown in any scene'],
  [['unknown_word'], 'Not understood in the prompt'],
  [['no_effect', 'not_the_product'], 'No effect here'],
];

async function findScenes(
  { id }: CutDesign,
  { service: { client }, options, backdrop, look }: Dependencies,
  signal: AbortSignal,
): Promise<{ readonly scenes: readonly Scene[]; readonly unused: Unused }> {
  const { ratio, prompt } = options;
  if (look) {
    const variant = ratio ?? look.variants[0]!;
    return { scenes: [{ title: look.title, recipeId: look.id, variant }], unused: [] };
  }
  if (backdrop) {
    const title = `on ${basename(options.backdrop!, extname(options.backdrop!))}`;
    const mutations = { images: { primaryIllustration: backdrop } };
    return { scenes: [{ title, recipeId: studioRecipe.id, variant: ratio ?? '1:1', mutations }], unused: [] };
  }
  const suggested = await client.suggest(
    {
      id,
      recipePreset: options.preset,
      ...(prompt !== undefined && { prompt }),
      ...(ratio !== undefined && { filters: { aspectRatio: ratio } }),
    },
    { signal },
  );
  const scenes = suggested.suggestedRecipeLists.flatMap(({ recipes }) => recipes).slice(0, options.count);
  return { scenes, unused: suggested.prompt?.notShown ?? [] };
}

/** Turns "Oak table, light through blinds" into `oak-table-light-through-blinds`. */
function toSlug(title: string): string {
  const plain = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '');
  return plain.replace(/[^\p{Letter}\p{Number}]+/gu, '-').replace(/^-|-$/g, '') || 'scene';
}
