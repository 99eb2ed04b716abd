/**
 * Prerenders plates (pictures of scenes without the product) that callers are likely to request next. Runs as queue
 * jobs, one at a time and only while the service is idle.
 */

import { PackshotError } from 'packshot-errors';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { Queue } from '../jobs/queue.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import type { Database } from '../storage/database.ts';
import type { SceneIllustration } from './illustration.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { ScenePlates } from './scene-plates.ts';

/** Name of the job. Its key is design ID, illustration ID and size, separated by dots. */
export const aheadJob = 'draw-ahead';

/** Maximum waiting jobs per account; plates beyond that are not prerendered, but drawn on demand. */
const MAX_WAITING = 64;

interface Dependencies {
  readonly database: Database;
  readonly queue: Queue;
  readonly designs: DesignStore;
  readonly cutouts: Pick<CutoutMaker, 'readCutout'>;
  readonly illustrations: IllustrationStore;
  readonly plates: ScenePlates;
  /**
   * Resolves when the service is idle. Awaited before the shared drawing of a plate begins, so that a request for the
   * same plate never joins a drawing that is still waiting.
   */
  readonly untilIdle: (signal: AbortSignal) => Promise<void>;
  /** Called with the scene of each finished plate. */
  readonly onDrawn: (illustration: SceneIllustration) => void;
  readonly onError: (error: unknown) => void;
}

export function createPrerenderer(needs: Dependencies) {
  const { database, queue, designs, cutouts, illustrations, plates, untilIdle, onDrawn, onError } = needs;
  const closing = new AbortController();

  async function draw(key: string): Promise<void> {
    const [designId = '', illustrationId = '', size] = key.split('.');
    await untilIdle(closing.signal);
    const design = await designs.findDesign(designId);
    const illustration = await illustrations.findIllustration(illustrationId);
    // The design or the illustration was deleted in the meantime.
    if (design?.state !== 'ready' || illustration?.kind !== 'scene') return;
    const cutoutPng = await cutouts.readCutout(design);
    const product = { design, cutoutPng };
    await plates.groundedPlate(illustration, product, size as RenderTargetName, {
      urgency: 'ahead',
      signal: closing.signal,
    });
    onDrawn(illustration);
  }

  return {
    /**
     * Enqueues grounded plates (with the product's shadow) in the given order. Never rejects: a plate that cannot be
     * enqueued is drawn on demand later.
     */
    async requestPlates(scenes: readonly SceneIllustration[], size: RenderTargetName): Promise<void> {
      try {
        const accountId = scenes[0]?.accountId;
        if (accountId === undefined) return;
        const room = MAX_WAITING - (await queue.countOf(aheadJob, accountId));
        const keys = scenes
          .slice(0, Math.max(0, room))
          .map(({ designId, id }) => `${designId}.${id}.${size}`);
        if (keys.length === 0) return;
        await queue.enqueue(aheadJob, keys, database, { accountId });
        queue.wake();
      } catch (error) {
        onError(error);
      }
    },

    /** Returns the IDs of the design's scenes whose plates are still in the queue. */
    async listExpected(designId: string): Promise<string[]> {
      const keys = await queue.listKeys(aheadJob, `${designId}.`);
      return keys.map((key) => key.split('.')[1]!);
    },

    work(): void {
      queue.work(aheadJob, {
        concurrency: 1,
        maxAttempts: 1,
        async run(key) {
          try {
            await draw(key);
          } catch (error) {
            // The job stays: for the next process, or for a time when no caller needs this one.
            if (closing.signal.aborted || (error instanceof PackshotError && error.retryable)) throw error;
            onError(error);
          }
        },
        giveUp: async () => undefined,
      });
    },

    /** Aborts the current drawing; called while the queue is closing. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

export type Prerenderer = ReturnType<typeof createPrerenderer>;
