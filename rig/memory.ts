/** Two thousand mixed calls, including scenes and errors: the memory of the whole process tree must not grow. */
import PQueue from 'p-queue';
import { isPutOff, percentile, Tally } from './answers.ts';
import { type Format, makePhoto } from './photos.ts';
import { inMB, readTreeBytes } from './process-tree.ts';
import type { Run } from './run.ts';
import { formWith, type OwnService, transparent, unhurried, untilReady, white } from './service.ts';

const sideBySide = 4;

export async function checkMemory(run: Run): Promise<void> {
  const service = await run.startOwn({ ...unhurried, DRAW_AHEAD: 'off' });
  await untilReady(service);
  const total = run.full ? 2_000 : 60;
  const mix = makeMix(service);
  const answers = new Tally();
  const samples: number[] = [];
  let done = 0;
  await new PQueue({ concurrency: sideBySide }).addAll(
    Array.from({ length: total }, (_, index) => async () => {
      const response = await mix(index);
      await response.arrayBuffer();
      answers.add(isPutOff(response) ? 'temporarily refused' : response.status);
      if (++done % Math.ceil(total / 200) === 0) samples.push(await readTreeBytes(service.child.pid!));
    }),
  );
  const broken = answers.count(500) + answers.count(502) + answers.count(504);
  run.bar('answers', 'no 5xx', answers.toString(), broken === 0);
  // Pools and caches fill at first, which is no leak: count only growth after the first tenth of the samples.
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(from * samples.length), Math.ceil(to * samples.length));
  const early = percentile(part(0.1, 0.25), 0.5);
  const late = percentile(part(0.85, 1), 0.5);
  const most = Math.max(80e6, 0.15 * early);
  run.fullBar(
    'growth from early to late samples',
    `<= ${inMB(most)}`,
    `${inMB(late - early)} (${inMB(early)} early, ${inMB(late)} late)`,
    late - early <= most,
  );
  const slope = (fitSlope(part(0.25, 1)) * samples.length * 1_000) / total;
  run.fullBar('slope', '<= 60 MB per 1,000 calls', inMB(slope), slope <= 60e6);
  run.fullBar('peak', 'none', inMB(Math.max(...samples)), true);
}

/** Slope of the least-squares line, in bytes per sample. */
function fitSlope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [above, below] = [0, 0];
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

const formats: readonly Format[] = ['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'];
const sizes = [
  [320, 240],
  [1600, 1200],
  [640, 480],
] as const;

interface Scene {
  readonly id: string;
  readonly recipe: object;
}

/** Returns a function that makes the call with the given number; the mix is the same in every run. */
function makeMix(service: OwnService): (index: number) => Promise<Response> {
  const ids: string[] = [];
  const scenes: Scene[] = [];
  const someId = (index: number) => ids[(index * 7) % ids.length] ?? 'dsg_0000000000000000000000';
  const render = (path: string, index: number, recipe: object) =>
    service.call(`/v1/design/${path}`, { json: { id: someId(index), ...recipe } });

  async function upload(index: number): Promise<Response> {
    const [width, height] = sizes[index % sizes.length]!;
    const format = formats[index % formats.length]!;
    const body = formWith(await makePhoto({ width, height, format }));
    const response = await service.call('/v1/design/image-upload', { method: 'POST', body });
    if (response.status === 200) ids.push(((await response.clone().json()) as { id: string }).id);
    return response;
  }
  async function suggest(index: number): Promise<Response> {
    const id = someId(index);
    const response = await service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } });
    if (response.status !== 200) return response;
    const { suggestedRecipeLists } = (await response.clone().json()) as {
      suggestedRecipeLists: { recipes: { recipeId: string; variant: string; mutations: object }[] }[];
    };
    const all = suggestedRecipeLists.flatMap(({ recipes }) => recipes);
    const scene = all[index % all.length];
    if (scene) {
      const { recipeId, variant, mutations } = scene;
      scenes.push({ id, recipe: { recipeId, variant, mutations } });
    }
    return response;
  }
  function previewScene(index: number): Promise<Response> {
    const scene = scenes.at(-1);
    return scene
      ? service.call('/v1/design/preview.webp', { json: { id: scene.id, ...scene.recipe } })
      : render('preview.webp', index, white);
  }

  return (index) => {
    // In fifty calls, scenes are suggested once and drawn once: a scene costs a hundred times as much as other calls.
    if (index % 50 === 20) return suggest(index);
    if (index % 50 === 40) return previewScene(index);
    switch (index % 10) {
      case 0:
      case 1:
      case 2:
        return upload(index);
      case 3:
      case 4:
        return render('preview.webp', index, white);
      case 5:
        return render('preview.png', index, transparent);
      case 6:
        return index % 40 === 6
          ? render('generated.jpeg', index, white)
          : render('preview.jpeg', index, white);
      case 7:
        return service.call(`/v1/design/${someId(index)}/cutout.webp`);
      case 8:
        return render('preview.webp', index, { recipeId: 'NoSuchRecipe', variant: '1:1' });
      default:
        return service.call('/v1/design/image-upload', {
          method: 'POST',
          body: formWith(Buffer.from('no picture')),
        });
    }
  };
}
