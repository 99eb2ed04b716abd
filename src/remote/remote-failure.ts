/** The one error of calls to servers that the operator names. */

/**
 * Why a server elsewhere, or a model in a child process, gave no answer to work with.
 *
 * - `unreachable`: no answer, or the connection broke.
 * - `busy`: it said so (429, 503); `retryAfterS` where it said when.
 * - `refused`: it does not want this request: key, quota, content rule, a workflow that it cannot run.
 * - `broken`: it answered something other than what was asked for.
 */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly reason: 'unreachable' | 'busy' | 'refused' | 'broken';
  readonly retryAfterS: number | undefined;

  constructor(
    reason: RemoteFailure['reason'],
    message: string,
    options: { cause?: unknown; retryAfterS?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.retryAfterS = options.retryAfterS;
  }
}
