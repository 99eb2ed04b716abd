/** What api processes have workers do for callers who wait, and what workers do for them. */
import type { Config } from '../config.ts';
import type { CutoutImprover } from '../cutout/improve-cutout.ts';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import type { ErrandDoer, ErrandRunner } from '../errands/run-errands.ts';
import { PackshotError } from '../errors.ts';
import type { SceneIllustration } from '../illustrations/illustration.ts';
import type { IllustrationStore } from '../illustrations/illustration-store.ts';
import type { KeylessDraws } from '../illustrations/keyless-draws.ts';
import type { ScenePlates } from '../illustrations/scene-plates.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import type { DrawRequest } from '../rendering/render-design.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import { createSingleFlight } from '../single-flight.ts';
import { priorities } from '../tasks.ts';

/** Longer than the longest cut: whoever waits has a deadline of their own. */
const mendPatienceMs = 120_000;
const never = new AbortController().signal;

interface PlateErrand {
  readonly illustrationId: string;
  readonly size: RenderTargetName;
}

export type Elsewhere = ReturnType<typeof sendElsewhere>;

export function sendElsewhere({ send }: ErrandRunner, { rendering: { deadlineMs } }: Config) {
  return {
    async drawDesign(request: DrawRequest, signal: AbortSignal): Promise<DrawnPicture> {
      const { accountId, target } = request;
      const options = {
        rank: priorities[target.name],
        accountId,
        patienceMs: deadlineMs[target.name],
        signal,
      };
      const { output, bytes } = await send('draw', request, options);
      return { ...(output as Omit<DrawnPicture, 'bytes'>), bytes: Buffer.from(bytes!) };
    },

    /** Stores the empty set of a scene. */
    async drawPlate(
      { id, accountId }: SceneIllustration,
      size: RenderTargetName,
      signal: AbortSignal,
    ): Promise<void> {
      const errand: PlateErrand = { illustrationId: id, size };
      // Behind the pictures that callers with a key wait for.
      const options = { rank: priorities.ahead, accountId, patienceMs: deadlineMs.generated, signal };
      await send('plate', errand, options);
    },

    /** Replaces a cutout that is not as good as it gets. */
    async finishCutout(id: string, signal: AbortSignal): Promise<void> {
      await send('finish-cutout', id, {
        rank: priorities.generated,
        patienceMs: deadlineMs.generated,
        signal,
      });
    },

    /** Stores a lost cutout and its matte anew. */
    async mendCutout(id: string): Promise<void> {
      await send('mend-cutout', id, { rank: priorities.preview, patienceMs: mendPatienceMs, signal: never });
    },
  };
}

interface Doing {
  readonly drawDesign: (request: DrawRequest, signal: AbortSignal) => Promise<DrawnPicture>;
  readonly illustrations: IllustrationStore;
  readonly plates: ScenePlates;
  readonly cutouts: CutoutMaker;
  readonly improver: Pick<CutoutImprover, 'finishCutout'>;
}

/** By the names that `sendElsewhere` sends. */
export function doErrands({
  drawDesign,
  illustrations,
  plates,
  cutouts,
  improver,
}: Doing): Record<string, ErrandDoer> {
  return {
    async draw(input, signal) {
      const { bytes, ...output } = await drawDesign(input as DrawRequest, signal);
      return { output, bytes };
    },

    async plate(input, signal) {
      const { illustrationId, size } = input as PlateErrand;
      const illustration = await illustrations.findIllustration(illustrationId);
      // Erased meanwhile: whoever asked finds that there is none.
      if (illustration?.kind === 'scene') await plates.cleanPlate(illustration, size, 'shown', signal);
      return { output: null };
    },

    async 'finish-cutout'(input, signal) {
      await improver.finishCutout(input as string, signal);
      return { output: null };
    },

    async 'mend-cutout'(input) {
      await cutouts.mendCutout(input as string);
      return { output: null };
    },
  };
}

/** The same plates, where what is not stored is drawn by a worker. */
export function platesElsewhere(
  plates: ScenePlates,
  elsewhere: Elsewhere,
  drawKeyless: KeylessDraws,
): ScenePlates {
  const share = createSingleFlight<void>();
  return {
    ...plates,
    async cleanPlate(illustration, size, _urgency, signal) {
      const stored = await plates.findCleanPlate(illustration, size);
      if (stored) return stored;
      await share(`${illustration.id} ${size}`, { signal }, ({ signal: shared }) =>
        drawKeyless(illustration.accountId, shared, () => elsewhere.drawPlate(illustration, size, shared)),
      );
      const drawn = await plates.findCleanPlate(illustration, size);
      if (drawn) return drawn;
      // It was erased, and whoever asks again is told so; or the storage did not take it.
      throw new PackshotError('storage_unavailable', 'The picture could not be kept; try again in a moment.');
    },
  };
}
