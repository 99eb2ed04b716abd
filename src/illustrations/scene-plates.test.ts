import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import type { ReadyDesign } from '../designs/design.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { openMemoryBlobStore } from '../storage/testing/memory-blobs.ts';
import { resolveInput, type TaskOptions, type Urgency } from '../tasks.ts';
import type { SceneIllustration } from './illustration.ts';
import { createScenePlates } from './scene-plates.ts';

const never = new AbortController().signal;
/** A generous time limit that is reached only if a test fails. */
const eventually = { timeout: 10_000, interval: 10 };
const illustration = (id: string) =>
  ({
    kind: 'scene',
    id,
    designId: 'dsg_a',
    accountId: 'acc_a',
    plan: { recipe: id },
  }) as unknown as SceneIllustration;
const cutoutPng = Buffer.from('cutout');
const product = { design: { id: 'dsg_a', subject: {} } as ReadyDesign, cutoutPng };

let blobs: BlobStore;
beforeEach(() => {
  blobs = openMemoryBlobStore(Date.now);
});

/** Opens scene plates whose drawings are counted, and held until the test releases them. */
function open(store = blobs, kept = true, detail: 'normal' | 'draft' = 'normal', drafts = false) {
  const gate = Promise.withResolvers<void>();
  const drawn: [string, string, Urgency][] = [];
  const budgets: (number | undefined)[] = [];
  const stopped: string[] = [];
  const findUrgency: (() => Urgency)[] = [];
  async function draw(what: string, plan: unknown, { urgency, signal }: TaskOptions) {
    const { recipe: id } = plan as { recipe: string };
    const ofCallers = typeof urgency === 'function' ? urgency : () => urgency;
    findUrgency.push(ofCallers);
    drawn.push([what, id, ofCallers()]);
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      stopped.push(id);
      reject(signal.reason);
    });
    await Promise.race([gate.promise, promise]);
    return {
      bytes: Buffer.from(`${what} ${id}`),
      tracedPx: drafts ? 128 : 512,
      isDraft: drafts,
      timings: [{ step: 'shade', durationMs: 1 }],
    };
  }
  const plates = createScenePlates({
    blobs: store,
    illustrations: { findIllustration: async (id) => (kept ? illustration(id) : undefined) },
    detail,
    findBudgetMs: (_account, dueAt) => (Number.isFinite(dueAt) ? dueAt : undefined),
    drawKeyless: (_account, _signal, drawIt) => drawIt(),
    imaging: {
      drawPlate(input, options) {
        const { target, plan, detail, budgetMs } = resolveInput(input);
        budgets.push(budgetMs);
        return draw(`${detail === 'draft' ? 'draft ' : ''}clean-${target.name}`, plan, options);
      },
      groundScene(input, options) {
        const { size, plan, budgetMs } = resolveInput(input);
        budgets.push(budgetMs);
        return draw(`grounded-${size}`, plan, options);
      },
    },
  });
  return { plates, drawn, budgets, stopped, findUrgency, release: gate.resolve };
}

describe('plates (pictures of scenes without the product)', () => {
  it('are drawn once for concurrent requests, stored, and not drawn again', async () => {
    const { plates, drawn, release } = open();
    const both = [1, 2].map(() => plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never }));
    release();
    const [first, second] = await Promise.all(both);
    expect(second).toEqual(first);
    const stored = await plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    expect(String(stored.bytes)).toBe('clean-preview ill_a');
    expect(stored.timings).toEqual([]);
    expect(drawn).toEqual([['clean-preview', 'ill_a', 'preview']]);
  });

  it("are drawn once for a caller and a batch item together, with the caller's urgency", async () => {
    const { plates, drawn, findUrgency, release } = open();
    const scene = illustration('ill_a');
    const item = plates.groundedPlate(scene, product, 'generated', { urgency: 'batch', signal: never });
    await vi.waitFor(() => expect(drawn).toHaveLength(1), eventually);
    const caller = plates.groundedPlate(scene, product, 'generated', { urgency: 'generated', signal: never });
    await vi.waitFor(() => expect(findUrgency[0]!()).toBe('generated'), eventually);
    release();
    expect(await caller).toEqual(await item);
    expect(drawn).toEqual([['grounded-generated', 'ill_a', 'batch']]);
  });

  it.each(['grounded', 'clean'] as const)(
    'that had too little time are returned as drafts, and not stored (%s)',
    async (kind) => {
      const late = { urgency: 'shown', signal: never, dueAt: 0 } as const;
      const drawLate = ({ plates }: ReturnType<typeof open>) =>
        kind === 'clean'
          ? plates.cleanPlate(illustration('ill_a'), 'preview', late)
          : plates.groundedPlate(illustration('ill_a'), product, 'preview', late);
      const drafting = open(blobs, true, 'normal', true);
      drafting.release();
      expect(await drawLate(drafting)).toMatchObject({ draftPx: 128 });
      const inTime = open();
      inTime.release();
      expect(await drawLate(inTime)).not.toHaveProperty('draftPx');
      expect([drafting.budgets, inTime.drawn.length]).toEqual([[0], 1]);
    },
  );

  it('that may be drafts are not drawn together with those that take as long as they need', async () => {
    const { plates, drawn, release } = open();
    const scene = illustration('ill_a');
    const ahead = plates.groundedPlate(scene, product, 'preview', { urgency: 'ahead', signal: never });
    const late = { urgency: 'preview', signal: never, dueAt: 0 } as const;
    const both = [1, 2].map(() => plates.groundedPlate(scene, product, 'preview', late));
    await vi.waitFor(() => expect(drawn).toHaveLength(2), eventually);
    release();
    await Promise.all([ahead, ...both]);
    expect(drawn.map(([, , urgency]) => urgency)).toEqual(['ahead', 'preview']);
  });

  it('are separate for each kind and size, four per scene', async () => {
    const { plates, drawn, release } = open();
    release();
    for (const size of ['preview', 'generated'] as const) {
      await plates.cleanPlate(illustration('ill_a'), size, { urgency: size, signal: never });
      await plates.groundedPlate(illustration('ill_a'), product, size, { urgency: size, signal: never });
    }
    expect(drawn).toHaveLength(4);
    const keys: string[] = [];
    for await (const { key } of blobs.list('designs')) keys.push(key);
    expect(keys).toHaveLength(4);
    expect(keys.every((key) => key.startsWith('designs/dsg_a/illustrations/ill_a/'))).toBe(true);
  });

  it('are separate for drafts, which also give pictures another ETag', async () => {
    const [finished, draft] = [open(), open(blobs, true, 'draft')];
    finished.release();
    draft.release();
    await finished.plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    await draft.plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    expect(draft.drawn).toEqual([['draft clean-preview', 'ill_a', 'preview']]);
    expect(draft.plates.revision).not.toEqual(finished.plates.revision);
  });

  it('leave nothing behind when their drawing is aborted, and are drawn again on the next request', async () => {
    const { plates, drawn, stopped, release } = open();
    const leaver = new AbortController();
    const left = plates.cleanPlate(illustration('ill_a'), 'preview', { signal: leaver.signal });
    await vi.waitFor(() => expect(drawn).toHaveLength(1), eventually);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await vi.waitFor(() => expect(stopped).toEqual(['ill_a']), eventually);
    release();
    await plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    expect(drawn).toHaveLength(2);
  });

  it('leave nothing behind if their design is deleted while they are drawn', async () => {
    const { plates, release } = open(blobs, false);
    release();
    const { bytes } = await plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    expect(String(bytes)).toBe('clean-preview ill_a');
    for await (const { key } of blobs.list('designs')) expect.unreachable(key);
  });

  it('are returned even if they cannot be stored', async () => {
    const put = async () => {
      throw new PackshotError('storage_full', 'no room');
    };
    const { plates, release } = open({ ...blobs, put });
    release();
    const { bytes } = await plates.cleanPlate(illustration('ill_a'), 'preview', { signal: never });
    expect(String(bytes)).toBe('clean-preview ill_a');
  });
});
