/** Errors of the paths below `/v1.0`: status, code, title and detail of the remove.bg API 1.0. */
import { type ErrorCode, errorTable, type PackshotError } from 'packshot-errors';
import { DialectRefusal, type Failure, type ForeignWords, jsonFailure } from '../failures.ts';

const BAD_REQUEST = 400;
const PAYMENT_REQUIRED = 402;
/** remove.bg uses this status, not 401, for a missing or invalid key. */
const FORBIDDEN = 403;
/** remove.bg's definition of a megabyte. */
const BYTES_PER_MB = 1024 ** 2;
const PIXELS_PER_MEGAPIXEL = 1e6;

export const refuse = (code: string, title: string, detail?: string, status = BAD_REQUEST): DialectRefusal =>
  new DialectRefusal({ status, code, title, detail });

export const invalid = (name: string): DialectRefusal =>
  refuse(`invalid_${name}`, `Invalid ${name} parameter given`);

/** remove.bg words the errors of these two parameters differently. */
export const invalidValue = (name: 'size' | 'channels'): DialectRefusal =>
  refuse(`invalid_${name}`, `Invalid value for parameter '${name}'`);

type Words = Omit<ForeignWords, 'status'> & { readonly status?: number };

const auth = (title: string) => (error: PackshotError) => ({
  status: FORBIDDEN,
  code: 'auth_failed',
  title,
  detail: error.message,
});
const bad =
  (code: string, title: string, detail = (message: string) => message) =>
  (error: PackshotError): Words => ({ status: BAD_REQUEST, code, title, detail: detail(error.message) });
const tooLarge = bad('file_too_large', 'File too large', (message) => {
  const [bytes = ''] = /\d+/.exec(message) ?? [];
  return bytes === '' ? message : `File exceeds limit of ${Math.floor(Number(bytes) / BYTES_PER_MB)}MB`;
});

const translations: Partial<Record<ErrorCode, (error: PackshotError) => Words>> = {
  missing_api_key: auth('Missing API Key'),
  invalid_api_key: auth('API Key invalid'),
  expired_api_key: auth('API Key invalid'),
  scope_denied: auth('API Key invalid'),
  insufficient_credits: () => ({
    status: PAYMENT_REQUIRED,
    code: 'insufficient_credits',
    title: 'Insufficient credits',
  }),
  rate_limited: () => ({ code: 'rate_limit_exceeded', title: 'Rate limit exceeded' }),
  image_undecodable: bad('failed_to_read_image', 'There was an error reading the image.'),
  image_too_small: bad('invalid_dimensions', 'Failed to read image dimensions'),
  unsupported_image_format: bad(
    'invalid_file_type',
    'Invalid file type',
    (message) => `Expected jpg/png. ${message}`,
  ),
  file_too_large: tooLarge,
  body_too_large: tooLarge,
  image_too_large: bad('resolution_too_high', 'Image resolution too high', describeResolution),
  no_subject_found: bad(
    'unknown_foreground',
    'Could not identify foreground in image. For details and recommendations see the detail of this error.',
  ),
  missing_file: bad('missing_source', 'No image given'),
};

/** Rewords our message, `The picture is 9000×7000 px; the maximum is 50 megapixels and …`, as remove.bg words it. */
function describeResolution(message: string): string {
  const [, width, height, most] = /(\d+)×(\d+) px; the maximum is ([\d.]+) megapixels/.exec(message) ?? [];
  // With one decimal, like remove.bg.
  const megapixels = Math.round((10 * Number(width) * Number(height)) / PIXELS_PER_MEGAPIXEL) / 10;
  return megapixels > Number(most)
    ? `Input image has ${megapixels} megapixels, maximum supported input resolution is ${most} megapixels`
    : message;
}

function toWords(error: PackshotError): ForeignWords {
  if (error instanceof DialectRefusal) return error.words;
  const words = translations[error.code]?.(error) ?? {
    code: error.code,
    title: errorTable[error.code].title,
    detail: error.message,
  };
  return { status: error.status, ...words };
}

export function describeFailure(error: PackshotError): Failure {
  const { status, title, code, detail } = toWords(error);
  return jsonFailure(status, { errors: [{ title, code, ...(detail !== undefined && { detail }) }] });
}
