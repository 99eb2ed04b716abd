/** Tasks that an api process delegates to a worker process while a caller waits, and their handlers in the worker. */

import type { MarkedPass } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { Box } from 'packshot-pixels';
import type { Config } from '../config.ts';
import type { CutoutCorrector } from '../cutouts/correct-cutout.ts';
import type { CutoutImprover } from '../cutouts/improve-cutout.ts';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import type { Design, OwnedDesign } from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import type { SceneIllustration } from '../illustrations/illustration.ts';
import type { IllustrationStore } from '../illustrations/illustration-store.ts';
import type { KeylessDraws } from '../illustrations/keyless-draws.ts';
import type { Plate, ScenePlates } from '../illustrations/scene-plates.ts';
import type { RemoteCalls, RemoteHandlers } from '../jobs/remote-calls.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import type { DrawRequest } from '../rendering/render-design.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import { createSingleFlight, type Flight } from '../single-flight.ts';
import { priorities } from '../tasks.ts';

/** Longer than the longest cutout takes; callers have their own deadlines. */
const mendTimeoutMs = 120_000;
/** Longer than the longest drawing takes, with its wait. */
const finishMs = 600_000;
const never = new AbortController().signal;

/** A newer api process may call an older worker, so the meaning of a task never changes. */
export type OurRemoteTasks = {
  readonly draw: { readonly input: DrawRequest; readonly output: Omit<DrawnPicture, 'bytes'> };
  /**
   * Draws and stores the plate of a scene: the scene without the product. Without `leftMs` (a caller's time), it takes as long
   * as it needs. A draft is not stored; its bytes travel beside the output.
   */
  readonly plate: {
    readonly input: {
      readonly illustrationId: string;
      readonly size: RenderTargetName;
      readonly leftMs?: number | undefined;
    };
    readonly output: { readonly draftPx: number } | null;
  };
  /** Replaces a quick cutout with the best one. The input is the design's id. */
  readonly 'finish-cutout': { readonly input: string; readonly output: null };
  /** Stores a lost cutout and its matte again. The input is the design's id. */
  readonly 'mend-cutout': { readonly input: string; readonly output: null };
  /**
   * Runs the engine on a part of a photo. The matte's raw bytes travel beside the output. The output is null for a
   * photo with transparency.
   */
  readonly 'look-closer': {
    readonly input: { readonly id: string; readonly box: Box };
    readonly output: { readonly crop: Box; readonly width: number; readonly height: number } | null;
  };
};

export type Elsewhere = ReturnType<typeof callElsewhere>;

export function callElsewhere(
  { call }: Pick<RemoteCalls<OurRemoteTasks>, 'call'>,
  { rendering: { deadlineMs } }: Config,
) {
  return {
    async drawDesign(request: DrawRequest, signal: AbortSignal): Promise<DrawnPicture> {
      const { accountId, target } = request;
      // The drawing outlasts its callers' deadlines.
      const options = { rank: priorities[target.name], accountId, timeoutMs: finishMs, signal };
      const { output, bytes } = await call('draw', request, options);
      return { ...output, bytes: Buffer.from(bytes!) };
    },

    async drawPlate(
      { id, accountId }: SceneIllustration,
      size: RenderTargetName,
      { signal, dueAt }: Flight,
    ): Promise<Plate | undefined> {
      // Use a lower priority than pictures that callers with a key are waiting for.
      const options = { rank: priorities.ahead, accountId, timeoutMs: deadlineMs.generated, signal };
      const dueIn = dueAt() - performance.now();
      const leftMs = Number.isFinite(dueIn) ? dueIn : undefined;
      const { output, bytes } = await call('plate', { illustrationId: id, size, leftMs }, options);
      return output === null ? undefined : { ...output, bytes: Buffer.from(bytes!), timings: [] };
    },

    async finishCutout({ id, accountId }: OwnedDesign, signal: AbortSignal): Promise<void> {
      const timeoutMs = deadlineMs.generated;
      await call('finish-cutout', id, { rank: priorities.generated, accountId, timeoutMs, signal });
    },

    async runMarkedPass(
      { id, accountId }: OwnedDesign,
      box: Box,
      signal: AbortSignal,
    ): Promise<MarkedPass | null> {
      const timeoutMs = deadlineMs.generated;
      const options = { rank: priorities.preview, accountId, timeoutMs, signal };
      const { output, bytes } = await call('look-closer', { id, box }, options);
      if (output === null) return null;
      const { crop, ...size } = output;
      return { crop, matte: { ...size, data: Uint8Array.from(bytes!) } };
    },

    async mendCutout({ id, accountId }: OwnedDesign): Promise<void> {
      const options = { rank: priorities.preview, accountId, timeoutMs: mendTimeoutMs, signal: never };
      await call('mend-cutout', id, options);
    },
  };
}

interface Handling {
  readonly designs: Pick<DesignStore, 'findDesign'>;
  readonly drawDesign: (request: DrawRequest, signal: AbortSignal) => Promise<DrawnPicture>;
  readonly illustrations: IllustrationStore;
  readonly plates: ScenePlates;
  readonly cutouts: CutoutMaker;
  readonly improver: Pick<CutoutImprover, 'finishCutout'>;
  readonly corrector: Pick<CutoutCorrector, 'runMarkedPass'>;
}

export function handleRemoteTasks(handling: Handling): RemoteHandlers<OurRemoteTasks> {
  const { designs, drawDesign, illustrations, plates, cutouts, improver, corrector } = handling;
  async function findDesign(id: string): Promise<Design> {
    const design = await designs.findDesign(id);
    if (!design) throw designNotFound();
    return design;
  }
  return {
    async draw(request, signal) {
      const { bytes, ...output } = await drawDesign(request, signal);
      return { output, bytes };
    },

    async plate({ illustrationId, size, leftMs }, signal) {
      const dueAt = leftMs === undefined ? undefined : performance.now() + leftMs;
      const illustration = await illustrations.findIllustration(illustrationId);
      // If the illustration was deleted meanwhile, draw nothing; the caller then finds no plate.
      if (illustration?.kind !== 'scene') return { output: null };
      const caller = { urgency: 'shown', signal, dueAt } as const;
      const { bytes, draftPx } = await plates.cleanPlate(illustration, size, caller);
      return draftPx === undefined ? { output: null } : { output: { draftPx }, bytes };
    },

    async 'finish-cutout'(id, signal) {
      await improver.finishCutout(await findDesign(id), signal);
      return { output: null };
    },

    async 'look-closer'({ id, box }, signal) {
      const look = await corrector.runMarkedPass(await findDesign(id), box, signal);
      if (look === null) return { output: null };
      const { data, ...size } = look.matte;
      return { output: { crop: look.crop, ...size }, bytes: data };
    },

    async 'mend-cutout'(id) {
      await cutouts.mendCutout(await findDesign(id));
      return { output: null };
    },
  };
}

/** Plates that are drawn by a worker if they are not stored. */
export function platesElsewhere(
  plates: ScenePlates,
  elsewhere: Elsewhere,
  drawKeyless: KeylessDraws,
): ScenePlates {
  const share = createSingleFlight<Plate | undefined>();
  return {
    ...plates,
    async cleanPlate(illustration, size, caller) {
      const stored = await plates.findCleanPlate(illustration, size);
      if (stored) return stored;
      const draft = await share(`${illustration.id} ${size}`, caller, (shared) =>
        drawKeyless(illustration.accountId, shared.signal, () =>
          elsewhere.drawPlate(illustration, size, shared),
        ),
      );
      const drawn = draft ?? (await plates.findCleanPlate(illustration, size));
      if (drawn) return drawn;
      // Either the worker could not store the plate, or the illustration was deleted meanwhile. In the latter case, a
      // repeated call reports that.
      throw new PackshotError(
        'storage_unavailable',
        'The picture could not be stored; try again in a moment.',
      );
    },
  };
}
