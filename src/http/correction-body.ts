/** The body of POST /v1/design/{id}/correct: JSON, or a form with a mask and the same JSON. */
import type { FastifyRequest } from 'fastify';
import type { Correction } from 'packshot-cutout/service';
import { PackshotError } from 'packshot-errors';
import type { z } from 'zod';
import type { PublishedLimits } from '../config.ts';
import { correctionBody, DOCUMENT_FIELD, MASK_FIELD, MOST_POINTS, MOST_SHAPES } from './correction-schema.ts';
import { cut } from './echo.ts';
import { fieldError, parseBody } from './field-errors.ts';
import { readFormOnce } from './file-form.ts';
import { parseJsonField, receiveJson } from './json-body.ts';

/**
 * Maximum bytes of a mask, far more than needed: a mask of 50 megapixels with hard edges takes less than one megabyte
 * as PNG.
 */
const MOST_MASK_BYTES = 8 * 1024 * 1024;

/**
 * Returns the maximum bytes of a mask. In JSON, it is base64 text in a body of at most 1 MiB more, so the API promises
 * only that masks of up to three quarters of the maximum are accepted there.
 */
export const limitMask = ({ image }: PublishedLimits): number => Math.min(MOST_MASK_BYTES, image.maxBytes);

type Body = z.output<typeof correctionBody>;

/**
 * Reads the body, JSON or form. Throws one error that lists all invalid fields, `invalid_correction`, or an error about
 * a body that is too large or cannot be read.
 */
export async function readCorrection(request: FastifyRequest, published: PublishedLimits) {
  const { body, mask } = request.isMultipart()
    ? await readForm(request, published)
    : await readJson(request, published);
  const { hint, base, revision } = body;
  const hasMore = mask !== undefined || hint !== undefined;
  // The whole contents of the request, to recognize a repeated call.
  const sent = [JSON.stringify(body), ...(mask ? [mask] : [])];
  return { correction: toCorrection(body, hasMore), hint, mask, base, revision, sent };
}

async function readJson(request: FastifyRequest, published: PublishedLimits) {
  const { value, files } = await receiveJson(request, published.upload, {
    mostBytes: published.requests.jsonBytes,
    files: [MASK_FIELD],
    mostFileBytes: limitMask(published),
  });
  const mask = files.get(MASK_FIELD);
  // The reader has taken the mask out of the text.
  const { mask: _, ...body } = parseBody(
    correctionBody,
    mask ? { ...(value as object), [MASK_FIELD]: 'read' } : value,
  );
  if (mask?.length === 0) throw fieldError('/mask', 'This is not a picture in base64.');
  return { body, mask };
}

async function readForm(request: FastifyRequest, published: PublishedLimits) {
  const { upload: rate, requests } = published;
  try {
    const { file, fields } = await readFormOnce(request, {
      rate,
      maxFileBytes: limitMask(published),
      field: MASK_FIELD,
      fieldBytes: requests.jsonBytes,
    })();
    const [other] = [...fields.keys()].filter((name) => name !== DOCUMENT_FIELD);
    if (other !== undefined) {
      const pointer = `/${cut(other)}`;
      throw new PackshotError(
        'unknown_field',
        `${pointer}: Unknown field. Known fields: ${MASK_FIELD}, ${DOCUMENT_FIELD}.`,
        { pointer },
      );
    }
    const document = parseJsonField(fields.get(DOCUMENT_FIELD) ?? '{}', DOCUMENT_FIELD, requests.jsonBytes);
    const body = parseBody(correctionBody, document);
    if (body.mask !== undefined)
      throw fieldError('/mask', 'Send the mask once: as a file, or in the JSON body.');
    return { body, mask: new Uint8Array(file.bytes) };
  } catch (error) {
    const isOfFile =
      error instanceof PackshotError && (error.code === 'missing_file' || error.code === 'file_too_large');
    throw isOfFile ? error.at(`/${MASK_FIELD}`) : error;
  }
}

/** Null if the call returns to an earlier revision. */
function toCorrection(
  { parts = [], strokes = [], boxes = [], polygons = [], base, undo, revision }: Body,
  hasMore: boolean,
): Correction | null {
  const shapes = parts.length + strokes.length + boxes.length + polygons.length;
  const isCorrection = shapes > 0 || hasMore;
  const returns = [undo, revision].filter((way) => way !== undefined).length;
  if (returns > 1 || (returns === 1 && (isCorrection || base !== undefined)))
    throw refuse('Send "undo" or "revision" alone, without marks.');
  if (returns === 1) return null;
  if (!isCorrection)
    throw refuse(
      'Send "parts", "strokes", "boxes", "polygons", "hint" or "mask"; or "undo"; or the "revision" to return to.',
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
