import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labelPng } from '../../packages/cutout/src/testing/label-png.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { createCutoutMaker } from '../cutouts/make-cutout.ts';
import { noRecognizer, noWebp } from '../cutouts/testing/no-recognizer.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { studioRecipe } from '../recipes/studio-recipe.ts';
import { resolveInput } from '../tasks.ts';
import type { DrawnPicture } from './draw-picture.ts';
import { createPictureLine, plannedShare } from './picture-line.ts';
import { createDesignRenderer, type Drawing, type RenderRequest } from './render-design.ts';
import { renderTarget } from './render-target.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const never = new AbortController().signal;
const subject = {
  boundingBox: { x: 1, y: 2, width: 3, height: 4 },
  coverage: 0.5,
  touchesEdges: ['left' as const],
  confidence: 1,
  issues: [],
};
const cut: CutPhoto = async () => ({
  cutoutPng: labelPng('cutout'),
  mattePng: labelPng('matte'),
  subject,
  cutoutVersion: 'test/1',
  timings: [{ step: 'whole-pass', durationMs: 5 }],
  leftOut: [],
});
const request: RenderRequest = {
  designId: 'dsg_a',
  accountId: 'acc_own',
  keyId: 'key_a',
  recipeId: 'Solid1_1_0035',
  variant: '1:1',
  target: renderTarget('preview', 'webp'),
  knownEtags: [],
  claim: async () => undefined,
  signal: never,
};
const scenePicture = {
  bytes: Buffer.from('picture'),
  contentType: 'image/webp',
  width: 640,
  height: 640,
  warnings: [],
  timings: [{ step: 'compose', durationMs: 1 }],
} as const;
type Dependencies = Parameters<typeof createDesignRenderer>[0];
type CutPhoto = Parameters<typeof createCutoutMaker>[0]['cutting']['cutPhoto'];
type Parts = Partial<Dependencies> & {
  cut?: CutPhoto;
  draw?: Dependencies['imaging']['drawPicture'];
};

const noUploads = {
  async orderOnUpload(): Promise<never> {
    throw new Error('unexpected call of orderOnUpload: this test uses no look');
  },
  async openUpload(): Promise<never> {
    throw new Error('unexpected call of openUpload: this test adds no logo');
  },
};

async function openRenderer({ cut: cutting = cut, draw, ...parts }: Parts = {}) {
  const drawn: { readonly cutoutPng: Buffer }[] = [];
  const cutouts = createCutoutMaker({
    ...house,
    clock: () => house.clock.now,
    cutting: { cutPhoto: cutting },
    finish: async () => undefined,
    recognizer: noRecognizer,
    imaging: noWebp,
    onCut: () => undefined,
  });
  cutouts.work();
  if (!(await house.designs.findDesign('dsg_a'))) await house.insertDesign('dsg_a');
  house.queue.wake();
  const { renderDesign, drawDesign } = createDesignRenderer({
    designs: house.designs,
    cutouts,
    photos: {
      async readSource() {
        throw new Error('unexpected call of readSource: this test leaves no photo uncut');
      },
      async readTags() {
        throw new Error('unexpected call of readTags: this test requests no metadata');
      },
    },
    scenes: {
      async orderScene() {
        throw new Error('unexpected call of orderScene: this test requests no scene');
      },
      async findPlainMutations() {
        throw new PackshotError('mutation_uri_rejected', 'not its own');
      },
      ...noUploads,
    },
    looks: {
      isLook: () => false,
      async orderLook() {
        throw new Error('unexpected call of orderLook: this test requests no look');
      },
    },
    imaging: {
      async drawUncut() {
        throw new Error('unexpected call of drawUncut: this test leaves no photo uncut');
      },
      drawPicture:
        draw ??
        (async (input) => {
          drawn.push(resolveInput(input));
          return scenePicture;
        }),
    },
    line: createPictureLine(1),
    deadlineMs: { preview: 5_000, generated: 5_000, batch: 5_000 },
    ...parts,
  });
  return { renderDesign, drawDesign, drawn };
}

describe('a renderer that draws in another process', () => {
  it('resolves the recipe, waits for the cutout and reserves the credits locally, and sends everything that drawing needs', async () => {
    const worker = await openRenderer();
    const asked: unknown[] = [];
    const { renderDesign, drawn } = await openRenderer({
      async drawElsewhere(draw, signal) {
        // A JSON round trip, as if the request were sent to another process.
        asked.push(JSON.parse(JSON.stringify(draw)));
        return worker.drawDesign(draw, signal);
      },
    });
    const claimed: string[] = [];
    const claim = async (etag: string) => void claimed.push(etag);
    const mutations = { layout: { scale: 0.5 } };
    const { picture, timings } = await renderDesign({ ...request, mutations, claim });
    expect(claimed).toHaveLength(1);
    expect(drawn).toEqual([]);
    expect(worker.drawn).toMatchObject([{ boundingBox: subject.boundingBox }]);
    expect(String(picture!.bytes)).toBe('picture');
    expect(timings.map(({ step }) => step)).toEqual(expect.arrayContaining(['draw-elsewhere', 'compose']));
    const { knownEtags: _, claim: __, signal: ___, ...draw } = request;
    const cutout = { subject, cutoutVersion: 'test/1', cutoutName: null };
    expect(asked).toEqual([{ ...draw, mutations, cutout }]);
  });

  it('waits locally for a scene that an engine paints, so that the drawing process does not wait again', async () => {
    const waits: Record<string, boolean[]> = { here: [], there: [] };
    const scenesOf = (place: 'here' | 'there'): Dependencies['scenes'] => ({
      async orderScene(_, { waitsForPainting }) {
        waits[place]!.push(waitsForPainting);
        return { identity: ['scene'], draw: async () => scenePicture };
      },
      findPlainMutations: async () => ({}),
      ...noUploads,
    });
    const worker = await openRenderer({ scenes: scenesOf('there') });
    const { renderDesign } = await openRenderer({
      scenes: scenesOf('here'),
      drawElsewhere: (draw, signal) => worker.drawDesign(draw, signal),
    });
    const primaryIllustration = { uri: '/v1/illustrations/ill_a.webp', source: 'WEB' as const };
    const mutations = { images: { primaryIllustration } };
    await renderDesign({ ...request, recipeId: studioRecipe.id, mutations });
    expect(waits).toEqual({ here: [true], there: [false] });
  });
});

describe('rendering a design', () => {
  it('waits for the cutout and draws the part of it inside the subject’s bounding box', async () => {
    const { renderDesign, drawn } = await openRenderer();
    const { etag, picture, timings } = await renderDesign(request);
    expect(String(picture!.bytes)).toBe('picture');
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(drawn).toMatchObject([{ boundingBox: subject.boundingBox, touchesEdges: ['left'] }]);
    expect(drawn[0]!.cutoutPng).toEqual(labelPng('cutout'));
    const steps = timings.map(({ step }) => step);
    expect(steps).toEqual(expect.arrayContaining(['join-cutout', 'read-cutout', 'draw-picture', 'compose']));
  });

  it('ignores how glass was to be drawn, which earlier suggestions said', async () => {
    const { renderDesign } = await openRenderer();
    const { etag } = await renderDesign({ ...request, mutations: { edge: { glass: 'auto' } } });
    expect((await renderDesign(request)).etag).toBe(etag);
  });

  it('reserves credits for the same order after the cutout was improved, though the ETag changes', async () => {
    const made = { subject, cutoutPng: labelPng('cutout'), mattePng: labelPng('matte'), timings: [] };
    const { renderDesign } = await openRenderer({
      cut: async () => ({ ...made, cutoutVersion: 'test/1', leftOut: ['second-look'] }),
    });
    const claimed: string[] = [];
    const claim = async (order: string) => void claimed.push(order);
    const first = await renderDesign({ ...request, claim });
    const better = { subject, cutoutVersion: 'test/2', cutoutName: null };
    await house.designs.replaceCutout('dsg_a', 'test/1', better, async () => undefined);
    const second = await renderDesign({ ...request, claim });
    expect(second.etag).not.toBe(first.etag);
    expect(new Set(claimed).size).toBe(1);
    await renderDesign({ ...request, claim, mutations: { layout: { scale: 0.5 } } });
    expect(new Set(claimed).size).toBe(2);
  });

  it('draws only after the credits are reserved, and reserves none if the caller already has the picture', async () => {
    const { renderDesign, drawn } = await openRenderer();
    const claimed: string[] = [];
    const claim = async (etag: string) => void claimed.push(etag);
    const { etag } = await renderDesign({ ...request, claim });
    await renderDesign({ ...request, claim, knownEtags: [etag] });
    expect(claimed).toHaveLength(1);
    const refuse = () => Promise.reject(new PackshotError('insufficient_credits', 'none left'));
    await expect(renderDesign({ ...request, claim: refuse })).rejects.toMatchObject({ status: 402 });
    expect(drawn).toHaveLength(1);
  });

  it('neither draws nor reads the cutout if the caller already has the picture', async () => {
    const { renderDesign, drawn } = await openRenderer();
    const { etag } = await renderDesign(request);
    await house.blobs.deleteAll('designs/dsg_a');
    const again = await renderDesign({ ...request, knownEtags: ['"other"', etag] });
    expect(again).toMatchObject({ etag, picture: null });
    expect(drawn).toHaveLength(1);
  });

  it('gives distinct pictures distinct ETags, and equal pictures the same one', async () => {
    const { renderDesign } = await openRenderer();
    const requests: Partial<RenderRequest>[] = [
      {},
      { target: renderTarget('preview', 'png') },
      { target: renderTarget('generated', 'webp') },
      { recipeId: 'Solid1_1_0042' },
      { recipeId: 'Transp001' },
      { recipeId: 'Transp001', variant: '4:5' },
      { mutations: { layout: { scale: 0.5 } } },
      { mutations: { background: { color: '#123456' } } },
    ];
    const etags = async () => {
      const all: string[] = [];
      for (const parts of requests) all.push((await renderDesign({ ...request, ...parts })).etag);
      return all;
    };
    const first = await etags();
    expect(new Set(first).size).toBe(requests.length);
    expect(await etags()).toEqual(first);
  });

  it("rejects an unknown recipe or another account's design without waiting for the cutout", async () => {
    const { renderDesign, drawn } = await openRenderer({ cut: () => new Promise(() => undefined) });
    const code = async (parts: Partial<RenderRequest>) =>
      (await renderDesign({ ...request, ...parts }).catch((error: PackshotError) => error)) as PackshotError;
    expect(await code({ recipeId: 'None' })).toMatchObject({ code: 'unknown_recipe' });
    expect(await code({ variant: '16:9' })).toMatchObject({ code: 'unknown_variant' });
    expect(await code({ accountId: 'acc_other' })).toMatchObject({ code: 'design_not_found' });
    expect(drawn).toEqual([]);
    await house.designs.removeDesign('dsg_a');
  });
});

const untilReady = () =>
  vi.waitFor(async () => expect((await house.designs.findDesign('dsg_a'))?.state).toBe('ready'), {
    timeout: 10_000,
    interval: 10,
  });

describe('a draft', () => {
  const draft = { ...scenePicture, draftPx: 128 };

  it('has its own ETag, is not stored, and is replaced by the finished picture as soon as there is one', async () => {
    const pictures: DrawnPicture[] = [draft, scenePicture];
    const { renderDesign } = await openRenderer({ draw: async () => pictures.shift()! });
    const kept: string[] = [];
    const stored = { find: async () => undefined, keep: async (etag: string) => void kept.push(etag) };
    const claimed: string[] = [];
    const claim = async (order: string) => void claimed.push(order);
    const call = { ...request, stored, claim, mayBeDraft: true };
    const first = await renderDesign(call);
    expect(first.picture).toMatchObject({ draftPx: 128 });
    expect(kept).toEqual([]);
    const second = await renderDesign({ ...call, knownEtags: [first.etag] });
    expect(second.picture).toMatchObject({ bytes: scenePicture.bytes });
    expect(second.etag).not.toBe(first.etag);
    expect(kept).toEqual([second.etag]);
    expect(new Set(claimed).size).toBe(1);
  });

  it('is drawn only for callers who would rather have it than none', async () => {
    const dueTimes: (number | undefined)[] = [];
    const scene = {
      identity: ['a scene'],
      draw: async ({ dueAt }: Drawing) => {
        dueTimes.push(dueAt?.());
        return scenePicture;
      },
    };
    const looks = { isLook: () => true, orderLook: async () => scene };
    const { renderDesign } = await openRenderer({ looks });
    const calledAt = performance.now();
    await renderDesign({ ...request, mayBeDraft: true, elapsedMs: 1_000 });
    await renderDesign({ ...request, urgency: 'batch' });
    const plannedMs = plannedShare * 5_000 - 1_000;
    expect(dueTimes[0]).toBeGreaterThanOrEqual(calledAt + plannedMs);
    expect(dueTimes[0]).toBeLessThan(calledAt + 4_000);
    expect(dueTimes[1]).toBeUndefined();
  });
});

describe('a render that takes too long', () => {
  it('ends with deadline_exceeded while the cutout job continues', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { renderDesign } = await openRenderer({
      cut: (...task) => {
        begun.resolve();
        return gate.promise.then(() => cut(...task));
      },
      deadlineMs: { preview: 100, generated: 5_000, batch: 5_000 },
    });
    await begun.promise;
    await expect(renderDesign(request)).rejects.toMatchObject({ code: 'deadline_exceeded', retryAfterS: 2 });
    gate.resolve();
    await untilReady();
  });

  it('is finished after its deadline, and the next call gets the picture without another drawing', async () => {
    const gate = Promise.withResolvers<void>();
    let drawings = 0;
    const { renderDesign } = await openRenderer({
      deadlineMs: { preview: 60_000, generated: 200, batch: 60_000 },
      draw: async (_input, { signal, onStart }) => {
        drawings++;
        onStart?.();
        await gate.promise;
        signal.throwIfAborted();
        return scenePicture;
      },
    });
    await untilReady();
    const full = { ...request, target: renderTarget('generated', 'jpeg') };
    await expect(renderDesign(full)).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: expect.stringMatching(/generated.*the next call gets the picture/s),
    });
    gate.resolve();
    expect((await renderDesign(full)).picture).toMatchObject({ bytes: scenePicture.bytes });
    expect(drawings).toBe(1);
  });

  it('keeps its turn if its deadline passes before its turn comes', async () => {
    const turn = Promise.withResolvers<void>();
    const { renderDesign } = await openRenderer({
      deadlineMs: { preview: 200, generated: 60_000, batch: 60_000 },
      draw: async (_input, { signal }) => {
        await turn.promise;
        signal.throwIfAborted();
        return scenePicture;
      },
    });
    await untilReady();
    await expect(renderDesign(request)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    turn.resolve();
    expect((await renderDesign(request)).picture).toMatchObject({ bytes: scenePicture.bytes });
  });

  it('rejects with the abort reason, not with deadline_exceeded, if the caller disconnects', async () => {
    const gone = new AbortController();
    const { renderDesign } = await openRenderer({
      draw: async (_input, { signal }) => {
        gone.abort(new Error('the caller is gone'));
        throw signal.reason;
      },
    });
    await expect(renderDesign({ ...request, signal: gone.signal })).rejects.toThrow('the caller is gone');
  });

  it('propagates errors of the drawing', async () => {
    const { renderDesign } = await openRenderer({
      draw: async () => {
        throw new PackshotError('queue_full', 'busy');
      },
    });
    await expect(renderDesign(request)).rejects.toMatchObject({ code: 'queue_full' });
  });
});
