/**
 * Why a remote server, or a model in a child process, returned no usable result.
 *
 * - `unreachable`: no response in time, the connection broke, or a gateway did not reach the server.
 * - `busy`: it reported overload (429, 503); `retryAfterS` is set if it said how long to wait.
 * - `refused`: it rejects this request: key, quota, content policy, or a workflow that it cannot run.
 * - `broken`: it failed (such as status 500), or the response is not what was requested.
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
