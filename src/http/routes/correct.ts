/** POST /v1/design/{id}/correct: mends a cutout by clicks, strokes and shapes, and returns to earlier revisions. */
import { z } from 'zod';
import type { Correction } from '../../cutout/correction.ts';
import { underDeadline } from '../../deadline.ts';
import { PackshotError } from '../../errors.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';

const MOST_SHAPES = 100;
const MOST_POINTS = 20_000;
/** Beyond any photo. */
const FAR_PX = 100_000;

const coordinate = z.number().min(-FAR_PX).max(FAR_PX);
const length = z.number().min(0).max(FAR_PX);
const mode = z.enum(['keep', 'erase']);
const points = z
  .array(z.array(coordinate).length(2))
  .max(MOST_POINTS)
  .describe('Pairs of x and y, in pixels of the upright photo.');

const bodySchema = z
  .strictObject({
    parts: z
      .array(z.strictObject({ mode, x: coordinate, y: coordinate }))
      .max(MOST_SHAPES)
      .optional()
      .describe(
        'Clicks. erase drops the connected part of the cutout at the point, keep brings back the lost part that the photo shows there.',
      ),
    strokes: z
      .array(z.strictObject({ mode, radius: length, points: points.min(1) }))
      .max(MOST_SHAPES)
      .optional()
      .describe('Brush strokes. Each spreads to the edges that the photo shows; one point is a dot.'),
    boxes: z
      .array(z.strictObject({ mode, x: coordinate, y: coordinate, width: length, height: length }))
      .max(MOST_SHAPES)
      .optional()
      .describe('Settled exactly, without spreading.'),
    polygons: z
      .array(z.strictObject({ mode, points: points.min(3) }))
      .max(MOST_SHAPES)
      .optional()
      .describe('Settled exactly, without spreading.'),
    base: z.int().min(1).optional().describe('The revision to correct; default: the current one.'),
    undo: z.literal(true).optional().describe('Alone: returns to the revision before the current one.'),
    revision: z.int().min(1).optional().describe('Alone: returns to this revision.'),
  })
  .meta({ id: 'Correction' });

type Body = z.output<typeof bodySchema>;

export function addCorrection(server: Server, { designs, corrector, published }: ServerDependencies): void {
  server.post(
    '/v1/design/:id/correct',
    {
      config: { scope: 'upload', operation: 'correct-cutout' },
      schema: {
        operationId: 'correctCutout',
        summary: 'Correct a cutout',
        description:
          'Marks what to keep and what to erase, and makes a new revision of the cutout, from which all later pictures are made; their ETags change. Waits for a cutout that is still being made. The first revision and the latest nine others are kept. A correction that changes nothing makes no revision.',
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        body: bodySchema,
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const correction = toCorrection(body);
      const design = await designs.resolveDesign(request.params.id, callerOf(request).accountId);
      const deadline = {
        timeoutMs: published.deadlineMs.generated,
        elapsedMs: reply.elapsedTime,
        signal: disconnectSignal(reply),
        what: 'The correction',
      };
      const corrected = await underDeadline(deadline, (signal) =>
        correction === null
          ? corrector.revertCutout(design, body.revision, signal)
          : corrector.correctCutout({ design, correction, base: body.base, signal }),
      );
      return toDesignAnswer(corrected);
    },
  );
}

/** `null` for a return to an earlier revision. Throws `invalid_correction`. */
function toCorrection({
  parts = [],
  strokes = [],
  boxes = [],
  polygons = [],
  base,
  undo,
  revision,
}: Body): Correction | null {
  const shapes = parts.length + strokes.length + boxes.length + polygons.length;
  const returns = [undo, revision].filter((way) => way !== undefined).length;
  if (returns > 1 || (returns === 1 && (shapes > 0 || base !== undefined)))
    throw refuse('Send undo or revision alone, without marks.');
  if (returns === 1) return null;
  if (shapes === 0)
    throw refuse('Send parts, strokes, boxes or polygons; or undo, or a revision to return to.');
  if (shapes > MOST_SHAPES) throw refuse(`At most ${MOST_SHAPES} marks are taken at a time, not ${shapes}.`);
  const count = [...strokes, ...polygons].reduce((sum, shape) => sum + shape.points.length, 0);
  if (count > MOST_POINTS) throw refuse(`The marks may have at most ${MOST_POINTS} points, not ${count}.`);
  const toPoints = (pairs: readonly number[][]) => pairs.map(([x, y]) => [x!, y!] as const);
  return {
    parts,
    strokes: strokes.map((stroke) => ({ ...stroke, points: toPoints(stroke.points) })),
    boxes,
    polygons: polygons.map((polygon) => ({ ...polygon, points: toPoints(polygon.points) })),
  };
}

const refuse = (message: string): PackshotError => new PackshotError('invalid_correction', message);
