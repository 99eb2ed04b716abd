/** The body of POST /v1/design/{id}/correct: JSON, or a form with a mask and the same JSON. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Correction } from '../cutout/correction.ts';
import { decodeBase64 } from '../dialects/body-fields.ts';
import { PackshotError } from '../errors.ts';
import type { Box } from '../pixels.ts';
import type { PublishedLimits } from './dependencies.ts';
import { fieldError, validateFields } from './field-errors.ts';
import { readFormOnce, refuseDeclaredExcess } from './file-form.ts';
import { parseJsonField } from './json-body.ts';

const MOST_SHAPES = 100;
const MOST_POINTS = 20_000;
/** Maximum coordinate, larger than any photo. */
const FAR_PX = 100_000;
/**
 * Maximum bytes of a mask, far more than needed: a mask of 50 megapixels with hard edges takes less than one megabyte
 * as PNG.
 */
const MOST_MASK_BYTES = 8 * 1024 * 1024;
export const MASK_FIELD = 'mask';
const DOCUMENT_FIELD = 'correction';

/**
 * Maximum bytes of a mask. In JSON, the limit applies to the mask in base64, whose decoded bytes are three quarters of
 * that.
 */
export const limitMask = ({ image }: PublishedLimits): number => Math.min(MOST_MASK_BYTES, image.maxBytes);

const coordinate = z.number().min(-FAR_PX).max(FAR_PX);
const length = z.number().min(0).max(FAR_PX);
const mode = z.enum(['keep', 'erase']);
const points = z
  .array(z.array(coordinate).length(2))
  .max(MOST_POINTS)
  .describe('Pairs of x and y, in pixels of the upright photo.');

const documentFields = {
  parts: z
    .array(z.strictObject({ mode, x: coordinate, y: coordinate }))
    .max(MOST_SHAPES)
    .optional()
    .describe(
      'Clicks. erase removes the connected part of the cutout at the point, keep restores the lost part at the point.',
    ),
  strokes: z
    .array(z.strictObject({ mode, radius: length, points: points.min(1) }))
    .max(MOST_SHAPES)
    .optional()
    .describe('Brush strokes. Each spreads to the edges visible in the photo; one point is a dot.'),
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
  hint: z
    .strictObject({ x: coordinate, y: coordinate, width: length, height: length })
    .optional()
    .describe(
      'A box of the photo in which the model runs again, at full resolution. The result replaces the cutout inside the box. Other marks are applied on top.',
    ),
  base: z.int().min(1).optional().describe('The revision to correct; default: the current one.'),
  undo: z.literal(true).optional().describe('Alone: returns to the revision before the current one.'),
  revision: z.int().min(1).optional().describe('Alone: returns to this revision.'),
};

export const correctionBody = z
  .strictObject({
    ...documentFields,
    mask: z
      .string()
      .min(1)
      .optional()
      .describe(
        "A picture of any size with the photo's aspect ratio, as base64 or a data URI: white keeps, black erases, gray and transparent pixels leave the cutout unchanged.",
      ),
  })
  .meta({ id: 'Correction' });

/** Only documents the form. The form itself is read as a stream and validated in this file. */
export const correctionForm = z.any().meta({
  type: 'object',
  required: [MASK_FIELD],
  properties: {
    [MASK_FIELD]: { type: 'string', format: 'binary', description: 'The mask as a file.' },
    [DOCUMENT_FIELD]: {
      type: 'string',
      contentMediaType: 'application/json',
      description: 'The other fields of the JSON body.',
    },
  },
});

type Body = z.output<typeof correctionBody>;

export interface CorrectionOrder {
  /** Null if the call restores an earlier revision. */
  readonly correction: Correction | null;
  readonly hint: Box | undefined;
  readonly mask: Uint8Array | undefined;
  readonly base: number | undefined;
  readonly revision: number | undefined;
}

const check = validateFields({
  schema: correctionBody,
  httpPart: 'body',
  method: 'POST',
  url: '/v1/design/:id/correct',
});

/** Reads the body, JSON or form. Throws one error that lists all invalid fields, or `invalid_correction`. */
export async function readCorrection(
  request: FastifyRequest,
  published: PublishedLimits,
): Promise<CorrectionOrder> {
  const { body, mask } = request.isMultipart()
    ? await readForm(request, published)
    : readJson(request, published);
  const { hint, base, revision } = body;
  const hasMore = mask !== undefined || hint !== undefined;
  return { correction: toCorrection(body, hasMore), hint, mask, base, revision };
}

function validate(sent: unknown): Body {
  const { value, error } = check(sent ?? undefined) as { value?: Body; error?: Error };
  if (error) throw error;
  return value!;
}

function readJson({ body: sent, headers }: FastifyRequest, { requests: { jsonBytes } }: PublishedLimits) {
  const text = (sent as { mask?: unknown } | null | undefined)?.mask;
  const maskBytes = typeof text === 'string' ? text.length : 0;
  // Only a mask may make the body this large. Validating marks of that size would block other calls.
  if (Number(headers['content-length'] ?? 0) - maskBytes > jsonBytes)
    throw new PackshotError(
      'body_too_large',
      `The body may have at most ${jsonBytes} bytes beside the mask.`,
    );
  const { mask, ...body } = validate(sent);
  if (mask === undefined) return { body, mask: undefined };
  const bytes = decodeBase64(mask);
  if (bytes.length === 0) throw fieldError('/mask', 'This is not a picture in base64.');
  return { body, mask: bytes };
}

async function readForm(request: FastifyRequest, published: PublishedLimits) {
  const form = readFormOnce(request, published.upload, MASK_FIELD);
  try {
    refuseDeclaredExcess(request, limitMask(published));
    const { file, fields } = await form();
    const [other] = [...fields.keys()].filter((name) => name !== DOCUMENT_FIELD);
    if (other !== undefined)
      throw new PackshotError(
        'unknown_field',
        `/${other}: Unknown field. Known fields: ${MASK_FIELD}, ${DOCUMENT_FIELD}.`,
        { pointer: `/${other}` },
      );
    const body = validate(parseJsonField(fields.get(DOCUMENT_FIELD) ?? '{}', DOCUMENT_FIELD));
    if (body.mask !== undefined)
      throw fieldError('/mask', 'Send the mask once: as a file, or in the JSON body.');
    return { body, mask: new Uint8Array(file.bytes) };
  } catch (error) {
    const isOfFile =
      error instanceof PackshotError && (error.code === 'missing_file' || error.code === 'file_too_large');
    throw isOfFile ? error.at(`/${MASK_FIELD}`) : error;
  }
}

function toCorrection(
  { parts = [], strokes = [], boxes = [], polygons = [], base, undo, revision }: Body,
  hasMore: boolean,
): Correction | null {
  const shapes = parts.length + strokes.length + boxes.length + polygons.length;
  const isCorrection = shapes > 0 || hasMore;
  const returns = [undo, revision].filter((way) => way !== undefined).length;
  if (returns > 1 || (returns === 1 && (isCorrection || base !== undefined)))
    throw refuse('Send undo or revision alone, without marks.');
  if (returns === 1) return null;
  if (!isCorrection)
    throw refuse(
      'Send parts, strokes, boxes, polygons, a hint or a mask; or undo, or a revision to return to.',
    );
  if (shapes > MOST_SHAPES)
    throw refuse(`A correction has at most ${MOST_SHAPES} marks, this one has ${shapes}.`);
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
