/** Every error code of the API in one table, and the class of errors with such a code. */

interface ErrorRow {
  /** HTTP status of the response. */
  readonly status: number;
  /** One line for people, the same for every occurrence (RFC 9457 `title`). */
  readonly title: string;
  /** Whether the same call may succeed later; such responses have `Retry-After`. */
  readonly retryable: boolean;
  /** Who caused the error. Faults of callers never trigger an alert. */
  readonly fault: 'caller' | 'upstream' | 'ours';
}

const caller = (status: number, title: string): ErrorRow => ({
  status,
  title,
  retryable: false,
  fault: 'caller',
});
const later = (status: number, title: string, fault: ErrorRow['fault']): ErrorRow => ({
  status,
  title,
  retryable: true,
  fault,
});

export const errorTable = {
  malformed_json: caller(400, 'The body is not a valid JSON object'),
  missing_field: caller(400, 'A required field is missing'),
  invalid_field: caller(400, 'A field has an invalid value'),
  unknown_field: caller(400, 'A field is unknown'),
  missing_file: caller(400, 'The form contains no file'),
  missing_api_key: caller(401, 'The X-Api-Key header is missing'),
  invalid_api_key: caller(401, 'The API key is not valid'),
  expired_api_key: caller(401, 'The API key has expired'),
  insufficient_credits: caller(402, 'The API key has too few credits left'),
  invalid_signature: caller(403, 'The URL is not validly signed'),
  scope_denied: caller(403, 'The API key lacks the scope for this call'),
  preset_not_allowed: caller(403, 'The API key may not use this recipe preset'),
  origin_refused: caller(403, 'Web pages of this origin may not call this service'),
  design_not_found: caller(404, 'No such design'),
  project_not_found: caller(404, 'No such project'),
  illustration_not_found: caller(404, 'No such illustration'),
  batch_not_found: caller(404, 'No such batch'),
  unknown_look: caller(404, 'No such look'),
  unknown_recipe: caller(404, 'No such recipe'),
  unknown_path: caller(404, 'No such path'),
  method_not_allowed: caller(405, 'The path exists, but not for this method'),
  idempotency_conflict: caller(409, 'The same call is already running'),
  too_many_looks: caller(409, 'The account has reached its maximum number of looks'),
  illustration_dropped: caller(409, 'The design has too many newer illustrations'),
  revision_conflict: caller(409, 'The cutout was replaced in the meantime'),
  batch_not_completed: caller(409, 'The batch has no results to download'),
  upload_timeout: caller(408, 'The request took too long to arrive'),
  scene_outdated: caller(410, 'The scene comes from a version that can no longer be drawn'),
  file_too_large: caller(413, 'The file is too large'),
  body_too_large: caller(413, 'The JSON body is too large'),
  image_too_large: caller(413, 'The picture has too many pixels'),
  unsupported_encoding: caller(415, 'The body is compressed'),
  unsupported_image_format: caller(415, 'The file is not in a supported image format'),
  expectation_failed: caller(417, 'The Expect header is not supported'),
  image_undecodable: caller(422, 'The picture cannot be decoded'),
  image_too_small: caller(422, 'The picture is too small'),
  no_subject_found: caller(422, 'No product was found in the photo'),
  invalid_correction: caller(422, 'The correction does not fit the photo or its cutout'),
  idempotency_mismatch: caller(422, 'The Idempotency-Key was used before with a different body'),
  unknown_preset: caller(422, 'No such recipe preset'),
  unknown_variant: caller(422, 'The recipe does not come in this variant'),
  invalid_mutation: caller(422, 'A mutation does not fit the recipe'),
  mutation_uri_rejected: caller(422, 'An illustration URI cannot be used here'),
  source_fetch_failed: caller(422, 'The photo could not be fetched from its URL'),
  source_url_blocked: caller(422, 'The URL may not be fetched'),
  headers_too_large: caller(431, 'The headers are too large'),
  rate_limited: later(429, 'Too many requests', 'caller'),
  internal: { status: 500, title: 'An internal error occurred', retryable: false, fault: 'ours' },
  queue_full: later(503, 'Too much work is waiting', 'ours'),
  not_ready: later(503, 'The service is starting or stopping', 'ours'),
  storage_unavailable: later(503, 'The storage does not respond', 'ours'),
  deadline_exceeded: later(504, 'The work did not finish in time', 'ours'),
  storage_full: later(507, 'The storage is full', 'ours'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** One invalid field. `pointer` is a JSON Pointer (RFC 6901) into the body, or into the part that `in` names. */
export interface FieldError {
  readonly in?: 'query' | 'path' | 'header' | undefined;
  readonly pointer: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

interface ErrorOptions {
  readonly cause?: unknown;
  readonly fields?: readonly FieldError[];
  /** JSON Pointer to the only body field that the message is about; replaces `fields`. */
  readonly pointer?: string;
  /** Seconds until a retry is worthwhile; only for retryable codes; default 1. */
  readonly retryAfterS?: number;
  /** For a retryable code: retries fail until the caller acts, so jobs do not wait and retry. */
  readonly lasting?: boolean;
}

/**
 * The error that modules throw for callers of the API. Callers see `message`: it names what failed, the field or limit,
 * and a remedy, but never a path, a library or a secret.
 */
export class PackshotError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterS: number | undefined;
  readonly #lasting: boolean;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PackshotError';
    this.code = code;
    const { fields, pointer } = options;
    this.fields = pointer === undefined ? fields : [{ pointer, code, detail: message }];
    this.#lasting = options.lasting ?? false;
    this.retryAfterS = options.retryAfterS ?? (errorTable[code].retryable ? 1 : undefined);
  }

  /** Returns a copy of this error, attributed to a field of the body. */
  at(pointer: string): PackshotError {
    const retry = this.retryAfterS === undefined ? {} : { retryAfterS: this.retryAfterS };
    return new PackshotError(this.code, this.message, {
      cause: this,
      pointer,
      ...retry,
      lasting: this.#lasting,
    });
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable && !this.#lasting;
  }
}

/** The refusal of all work that has not begun when the service stops. */
export const isStopping = () =>
  new PackshotError('not_ready', 'The service is stopping.', { retryAfterS: 5 });
