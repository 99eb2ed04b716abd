/**
 * Coordinates corrections: turns the caller's marks into a new revision of the cutout. Every stored revision can
 * be restored.
 *
 * The design's database row states which revision is current. Each revision has its own blobs, written before the row
 * names them, so a reader never sees a mix of two revisions. A correction of a quick first cutout waits for the better
 * one, within `patienceMs`, because it also cancels the search for it.
 */

import type {
  CorrectedCutout,
  Correction,
  correctPhoto,
  DoubtfulPlace,
  MarkedPass,
  PhotoCutter,
  readMask,
  SubjectFacts,
} from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { ImageLimits } from 'packshot-photos';
import { type Box, growBox } from 'packshot-pixels';
import {
  type CutoutHistory,
  type CutoutRevision,
  type Design,
  designBlobs,
  listRevisions,
  type OwnedDesign,
  type ReadyDesign,
} from '../designs/design.ts';
import { type DesignStore, designNotFound } from '../designs/design-store.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { randomBase62 } from '../ids.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { DatabaseOrTransaction } from '../storage/database.ts';
import type { Tasks } from '../tasks.ts';
import type { CutoutMaker, ProductRecognizer } from './make-cutout.ts';
import { withKind } from './photo-kind/photo-kind.ts';

/** Maximum number of stored revisions: the first one and the latest ones. */
const MOST_REVISIONS = 10;

/** Minimum side of a `hint` box, in pixels. In smaller pictures, models recognize nothing. */
const LEAST_HINT_PX = 16;

interface Dependencies {
  readonly designs: DesignStore;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  readonly cutouts: Pick<CutoutMaker, 'joinCutout' | 'readCutout' | 'readMatte' | 'tellImproved'>;
  readonly imaging: Tasks<{ correctPhoto: typeof correctPhoto; readMask: typeof readMask }>;
  readonly cutting: Tasks<Pick<PhotoCutter, 'runMarkedPass'>>;
  /** Runs `runMarkedPass` in another process; undefined if this process does the work. */
  readonly runPassElsewhere:
    | ((design: OwnedDesign, box: Box, signal: AbortSignal) => Promise<MarkedPass | null>)
    | undefined;
  /** How long a correction waits for a better cutout than a quick first one. */
  readonly patienceMs: number;
  /** Limits on pictures sent by callers. */
  readonly limits: ImageLimits;
  readonly recognizer: Pick<ProductRecognizer, 'recognizeProduct'>;
  /** Throws if the storage is full, or the account has exceeded its share. */
  readonly admit: (accountId: string) => Promise<void>;
  /** Deletes the blobs of replaced cutouts once no call can still be using them. */
  readonly tidyLater: (design: ReadyDesign, transaction: DatabaseOrTransaction) => Promise<void>;
}

export interface CorrectionRequest {
  readonly design: Design;
  readonly correction: Correction;
  /** The part of the photo on which the engine runs again. */
  readonly hint: Box | undefined;
  /** A mask in any upload format: white keeps, black erases, and gray leaves the cutout unchanged; see `applyMask`. */
  readonly mask: Uint8Array | undefined;
  /** The revision to correct; default: the current one. */
  readonly base: number | undefined;
  readonly signal: AbortSignal;
}

export type CutoutCorrector = ReturnType<typeof createCutoutCorrector>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createCutoutCorrector(needs: Dependencies) {
  const { designs, blobs, clock, cutouts, imaging, cutting, limits, recognizer, admit, tidyLater } = needs;

  async function runMarkedPass(design: Design, box: Box, signal: AbortSignal): Promise<MarkedPass | null> {
    if (needs.runPassElsewhere) return needs.runPassElsewhere(design, box, signal);
    const bytes = await blobs.get(designBlobs.source(design.id));
    if (!bytes) throw designNotFound();
    return cutting.runMarkedPass(
      { bytes, alpha: design.origin.alpha, box },
      { signal, urgency: 'preview', account: design.accountId },
    );
  }

  /** Corrections with a hint, of which an account has one at a time: each runs the model. */
  const hintTurns = createFairSemaphore({ places: Number.POSITIVE_INFINITY, maxPerAccount: 1 });

  async function lookAgain(design: ReadyDesign, box: Box, signal: AbortSignal) {
    // While this call waited, another may have replaced the cutout: then the model need not run.
    const now = await findReady(design.id);
    if (now.cutoutVersion !== design.cutoutVersion) throw replacedMeanwhile();
    const pass = await runMarkedPass(design, box, signal);
    if (pass !== null) return { ...pass, box };
    throw new PackshotError(
      'invalid_correction',
      'The photo has its own transparency, so no model was used; use marks or a mask.',
      { pointer: '/hint' },
    );
  }

  async function findReady(id: string): Promise<ReadyDesign> {
    const design = await designs.findDesign(id);
    if (design?.state !== 'ready') throw designNotFound();
    return design;
  }

  async function replace(
    design: ReadyDesign,
    next: CutoutRevision,
    history: CutoutHistory,
  ): Promise<ReadyDesign> {
    const replaced = await designs.reviseCutout(design, next, history, (transaction) =>
      tidyLater(design, transaction),
    );
    const now = await findReady(design.id);
    if (!replaced) throw replacedMeanwhile();
    cutouts.tellImproved(design.id);
    return now;
  }

  async function makeRevision(
    request: CorrectionRequest,
    ready: ReadyDesign,
    box: Box | null,
    maskPng: Uint8Array | null,
  ): Promise<ReadyDesign> {
    const { correction, base, signal } = request;
    const { id, origin } = ready;
    const { current, revisions } = listRevisions(ready);
    const from = findRevision(ready, base ?? current, '/base');
    const again = box && (await lookAgain(ready, box, signal));
    const shown = { ...ready, cutoutName: from.cutoutName };
    const [bytes, cutoutPng, mattePng] = await Promise.all([
      blobs.get(designBlobs.source(id)),
      cutouts.readCutout(shown),
      cutouts.readMatte(shown),
    ]);
    if (!bytes) throw designNotFound();
    const made = await imaging.correctPhoto(
      { bytes, alpha: origin.alpha, cutoutPng, mattePng, correction, again, maskPng },
      optionsOf(request),
    );
    if (made === null && from.revision === current) return ready;
    if (made === null) return replace(ready, from, { current: from.revision, revisions });
    const checked = withKind(made.subject, from.subject.kind, true);
    const subject = { ...checked, doubtful: listLeft(from.subject, made) };
    const cutoutName = randomBase62(12);
    const keys = [designBlobs.cutout(id, cutoutName), designBlobs.matte(id, cutoutName)] as const;
    const [product] = await Promise.all([
      recognizer.recognizeProduct(ready, made),
      blobs.put(keys[0], made.cutoutPng),
      blobs.put(keys[1], made.mattePng),
    ]);
    const next: CutoutRevision = {
      revision: Math.max(...revisions.map(({ revision }) => revision)) + 1,
      kind: 'corrected',
      createdAt: new Date(clock()).toISOString(),
      base: from.revision,
      leftOut: [],
      subject,
      ...(product && { product }),
      cutoutName,
      cutoutVersion: `${revisions[0]!.cutoutVersion}/corrected-${cutoutName}`,
    };
    try {
      return await replace(ready, next, { current: next.revision, revisions: keepLatest(revisions, next) });
    } catch (error) {
      // After other errors, the blobs stay: if the commit's response was lost, the row may already refer to them.
      if (error instanceof PackshotError && !error.retryable)
        await Promise.all(keys.map((key) => blobs.deleteAll(key)));
      throw error;
    }
  }

  return {
    runMarkedPass,

    /**
     * Returns the corrected design. If the correction changes nothing, adds no revision, but makes `base` the current
     * one. Throws `invalid_correction`, `no_subject_found`, `revision_conflict`, and the errors of `joinCutout` and
     * `readMask`.
     */
    async correctCutout(request: CorrectionRequest): Promise<ReadyDesign> {
      const { design, correction, hint, mask, signal } = request;
      refuseOutside(correction, design.image);
      const box = hint === undefined ? null : toPassBox(hint, design.image);
      await admit(design.accountId);
      const maskPng =
        mask === undefined
          ? null
          : await imaging
              .readMask({ bytes: mask, photo: design.image, limits }, optionsOf(request))
              .catch(blame('/mask'));
      const { design: ready } = await cutouts.joinCutout(design, signal, { patienceMs: needs.patienceMs });
      const make = () => makeRevision(request, ready, box, maskPng);
      return box ? hintTurns.hold({ account: design.accountId, signal }, make) : make();
    },

    /** Restores a stored revision; by default the one that the current revision was made from. */
    async revertCutout(design: Design, to: number | undefined, signal: AbortSignal): Promise<ReadyDesign> {
      const { design: ready } = await cutouts.joinCutout(design, signal);
      const { current, revisions } = listRevisions(ready);
      const previous = revisions.find(({ revision }) => revision === current)!.base;
      if (to === undefined && previous === null)
        throw new PackshotError('invalid_correction', 'There is nothing to undo: this is the first cutout.', {
          pointer: '/undo',
        });
      const next = findRevision(ready, to ?? previous!, to === undefined ? '/undo' : '/revision');
      if (next.revision === current) return ready;
      return replace(ready, next, { current: next.revision, revisions });
    },
  };
}

const optionsOf = ({ design, signal }: CorrectionRequest) =>
  ({ signal, urgency: 'preview', account: design.accountId }) as const;

const replacedMeanwhile = (): PackshotError =>
  new PackshotError(
    'revision_conflict',
    'The cutout was replaced while this correction was being made. Get the design again, then repeat the correction.',
  );

const blame =
  (pointer: string) =>
  (error: unknown): never => {
    throw error instanceof PackshotError && error.status < 429 ? error.at(pointer) : error;
  };

function findRevision(design: ReadyDesign, wanted: number, pointer: string): CutoutRevision {
  const { revisions } = listRevisions(design);
  const found = revisions.find(({ revision }) => revision === wanted);
  if (found) return found;
  const kept = revisions.map(({ revision }) => revision).join(', ');
  throw new PackshotError(
    'invalid_correction',
    `Revision ${wanted} of the cutout is not stored. Stored revisions: ${kept}.`,
    { pointer },
  );
}

function keepLatest(revisions: readonly CutoutRevision[], next: CutoutRevision): CutoutRevision[] {
  const [first, ...others] = [...revisions, next];
  // Keep the new revision's base, so that the correction can be undone.
  const latest = others.slice(-(MOST_REVISIONS - 1));
  const base = others.find(({ revision }) => revision === next.base);
  const kept = base && !latest.includes(base) ? [base, ...latest.slice(1)] : latest;
  const names = new Set([first!, ...kept].map(({ revision }) => revision));
  // If the base of a revision was dropped, the first revision becomes its base.
  return [first!, ...kept].map((each) =>
    each.base !== null && !names.has(each.base) ? { ...each, base: first!.revision } : each,
  );
}

/**
 * The places that still need a check: the separate parts of the new cutout, and the places where two passes disagree
 * and the correction changed nothing.
 */
function listLeft(before: SubjectFacts, { subject, changed }: CorrectedCutout): readonly DoubtfulPlace[] {
  const isLeft = ({ reason, box }: DoubtfulPlace) =>
    reason === 'looks_differ' &&
    (box.x + box.width <= changed.x ||
      changed.x + changed.width <= box.x ||
      box.y + box.height <= changed.y ||
      changed.y + changed.height <= box.y);
  return [...(subject.doubtful ?? []), ...(before.doubtful ?? []).filter(isLeft)];
}

/** Clips the hint to the photo, refuses it if it is then too small, and rounds it outward to whole pixels. */
function toPassBox(hint: Box, photo: Design['image']): Box {
  const right = Math.min(photo.width, hint.x + hint.width);
  const bottom = Math.min(photo.height, hint.y + hint.height);
  const [x, y] = [Math.max(0, hint.x), Math.max(0, hint.y)];
  if (Math.min(right - x, bottom - y) >= LEAST_HINT_PX)
    return growBox({ x, y, width: right - x, height: bottom - y }, { x: 0, y: 0 }, photo);
  throw new PackshotError(
    'invalid_correction',
    `The hint must cover at least ${LEAST_HINT_PX}×${LEAST_HINT_PX} px of the photo, which has ${photo.width}×${photo.height} px.`,
    { pointer: '/hint' },
  );
}

/** Refuses a mark that lies entirely outside the photo. */
function refuseOutside(
  { parts, strokes, boxes, polygons }: Correction,
  { width, height }: Design['image'],
): void {
  const meets = (left: number, top: number, right: number, bottom: number): boolean =>
    right > 0 && bottom > 0 && left < width && top < height;
  const refuse = (pointer: string): never => {
    throw new PackshotError(
      'invalid_correction',
      `The mark lies outside the photo, which has ${width}×${height} px.`,
      { pointer },
    );
  };
  parts.forEach(({ x, y }, n) => {
    if (!meets(x, y, x, y)) refuse(`/parts/${n}`);
  });
  strokes.forEach(({ radius, points }, n) => {
    if (!points.some(([x, y]) => meets(x - radius, y - radius, x + radius, y + radius)))
      refuse(`/strokes/${n}`);
  });
  boxes.forEach(({ x, y, width: w, height: h }, n) => {
    if (!meets(x, y, x + w, y + h)) refuse(`/boxes/${n}`);
  });
  polygons.forEach(({ points }, n) => {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    if (!meets(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys))) refuse(`/polygons/${n}`);
  });
}
