/** Errors of `/api/remove`, in the FastAPI format of rembg's server. */
import type { ErrorCode, PackshotError } from 'packshot-errors';
import { DialectRefusal, type Failure, jsonFailure } from '../failures.ts';

/** One entry of a FastAPI 422 response. */
export interface FieldFault {
  readonly type: string;
  readonly loc: readonly string[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export class FieldFaults extends DialectRefusal {
  readonly faults: readonly FieldFault[];

  constructor(faults: readonly FieldFault[]) {
    super({ status: 422, code: 'invalid_field', title: faults[0]?.msg ?? 'Invalid fields' });
    this.faults = faults;
  }
}

/** Messages for a URL that is not fetched. */
export const urlRefusals = {
  scheme: 'Only http and https URLs are allowed.',
  host: 'Invalid URL: missing hostname.',
  blocked: 'Requests to private/internal addresses are not allowed.',
  size: 'Image exceeds maximum size.',
  redirects: 'Too many redirects.',
} as const;

export const refuse = (detail: string): DialectRefusal =>
  new DialectRefusal({ status: 400, code: 'invalid_field', title: detail });

/** Starlette's messages for unknown routes. */
const plain: Partial<Record<ErrorCode, string>> = {
  unknown_path: 'Not Found',
  method_not_allowed: 'Method Not Allowed',
};

function statusOf(error: PackshotError): number {
  return [413, 415, 422].includes(error.status) ? 400 : error.status;
}

export function describeFailure(error: PackshotError): Failure {
  if (error instanceof FieldFaults) return jsonFailure(422, { detail: error.faults });
  return jsonFailure(statusOf(error), { detail: plain[error.code] ?? error.message });
}
