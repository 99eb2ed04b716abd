/** Draws what callers are likely to ask for next, by jobs, one picture at a time and only while nobody waits for another. */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { Queue } from '../jobs/queue.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import type { Database } from '../storage/database.ts';
import type { SceneIllustration } from './illustration.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { ScenePlates } from './scene-plates.ts';

/** Its key is a design's id, an illustration's and a size, with points between. */
export const aheadJob = 'draw-ahead';

/** Of one account; what is beyond it was asked for so long ago that drawing on request is as good. */
const MAX_WAITING = 64;

interface Needs {
  readonly database: Database;
  readonly queue: Queue;
  readonly designs: DesignStore;
  readonly cutouts: Pick<CutoutMaker, 'readCutout'>;
  readonly illustrations: IllustrationStore;
  readonly plates: ScenePlates;
  /** Resolves while there is nothing else to do; what is drawn then starts at once, so that whoever asks for it meanwhile may join. */
  readonly untilIdle: (signal: AbortSignal) => Promise<void>;
  /** Hears of each picture that is there. */
  readonly onDrawn: (illustration: SceneIllustration) => void;
  readonly onError: (error: unknown) => void;
}

export function createAheadDrawer(needs: Needs) {
  const { database, queue, designs, cutouts, illustrations, plates, untilIdle, onDrawn, onError } = needs;
  const closing = new AbortController();

  async function draw(key: string): Promise<void> {
    const [designId = '', illustrationId = '', size] = key.split('.');
    await untilIdle(closing.signal);
    const design = await designs.findDesign(designId);
    const illustration = await illustrations.findIllustration(illustrationId);
    // Erased meanwhile.
    if (design?.state !== 'ready' || illustration?.kind !== 'scene') return;
    const standing = { design, cutoutPng: await cutouts.readCutout(design) };
    await plates.groundedPlate(illustration, standing, size as RenderTargetName, 'ahead', closing.signal);
    onDrawn(illustration);
  }

  return {
    /** Grounded plates, in the order given. Never rejects: what is not drawn ahead is drawn when it is asked for. */
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

    /** Scenes of the design whose plates are still to be drawn ahead. */
    async listExpected(designId: string): Promise<string[]> {
      const keys = await queue.listKeys(aheadJob, `${designId}.`);
      return keys.map((key) => key.split('.')[1]!);
    },

    /** Starts drawing from the queue. */
    work(): void {
      queue.work(aheadJob, {
        concurrency: 1,
        maxAttempts: 1,
        async run(key) {
          try {
            await draw(key);
          } catch (error) {
            // The job stays for the next process.
            if (closing.signal.aborted) throw error;
            onError(error);
          }
        },
        giveUp: async () => undefined,
      });
    },

    /** Ends what is being drawn, once the queue is closing. */
    close(): void {
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
    },
  };
}

export type AheadDrawer = ReturnType<typeof createAheadDrawer>;
