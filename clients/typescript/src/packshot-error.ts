/** The error with which calls reject. Only a call that you abort rejects with your signal's reason instead. */
import type { Problem } from './api-types.ts';

/**
 * The codes of the service's problem documents, and two of the client: `network_error` if there was no
 * response (`cause` has the reason), `unexpected_answer` if the response came from elsewhere, such as a
 * proxy. Later versions of the service may add codes.
 */
export type ErrorCode = Problem['code'] | 'network_error' | 'unexpected_answer' | (string & {});

interface Facts {
  readonly status?: number | undefined;
  readonly title?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterS?: number | undefined;
  readonly errors?: Problem['errors'];
  readonly cause?: unknown;
}

export class PackshotError extends Error {
  readonly code: ErrorCode;
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  /** Describes the code, and is the same whenever this code occurs; `message` describes this occurrence. */
  readonly title: string;
  /** Id of the request, to quote in a report to the operator of the service. */
  readonly requestId: string | undefined;
  /** Seconds until a retry is worthwhile, if the service specifies a time. */
  readonly retryAfterS: number | undefined;
  /** One entry per invalid field of the request. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(code: ErrorCode, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'PackshotError';
    this.code = code;
    this.status = facts.status ?? 0;
    this.title = facts.title ?? message;
    this.requestId = facts.requestId;
    this.retryAfterS = facts.retryAfterS;
    this.errors = facts.errors ?? [];
  }
}

/** Converts a response outside 200 to 299 to an error. */
export async function readError(response: Response): Promise<PackshotError> {
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterS: readRetryAfter(response.headers.get('retry-after')),
  };
  const type = response.headers.get('content-type') ?? '';
  const problem = type.startsWith('application/problem+json')
    ? ((await response.json().catch(() => undefined)) as Problem | undefined)
    : undefined;
  if (problem) {
    const { code, detail, title, errors } = problem;
    return new PackshotError(code, detail, { ...facts, title, errors });
  }
  const said = type.startsWith('application/json') ? await readDropInError(response) : undefined;
  if (said) return new PackshotError(said.code, said.message, facts);
  if (!response.bodyUsed) await response.body?.cancel();
  return new PackshotError(
    'unexpected_answer',
    `The answer, status ${response.status}, does not come from a Packshot service.`,
    facts,
  );
}

/** The errors of other services' interfaces: each has its own shape. */
async function readDropInError(response: Response) {
  const body = (await response.json().catch(() => undefined)) as
    | {
        readonly errors?: readonly { readonly code?: string; readonly title?: string }[];
        readonly detail?: unknown;
        readonly type?: string;
      }
    | undefined;
  const { code = body?.type ?? 'unexpected_answer', title } = body?.errors?.[0] ?? {};
  const message = title ?? body?.detail;
  return message === undefined
    ? undefined
    : { code, message: typeof message === 'string' ? message : JSON.stringify(message) };
}

/** RFC 9110, section 10.2.3: seconds, or a date. Returns seconds. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
