/** Checks that every response must pass, whatever the request was. */

/** Matches texts that reveal internals of the service. No response may contain such a text. */
const insides =
  /node_modules|\.ts:\d|\bat (?:async )?[\w.]+ \(|libvips|\bsharp\b|sqlite|\bSQL\b|kysely|fastify|FST_|ENOENT|EACCES|\/blobs\/|\/src\//i;
const retryable = new Set([429, 503, 504, 507]);

interface Problem {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly status?: unknown;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly requestId?: unknown;
}

/** Describes the fault of an error response; undefined if it has none. Passes the error's code to `onCode`. */
export async function findProblemFault(
  response: Response,
  onCode: (code: string) => void = () => undefined,
): Promise<string | undefined> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/problem+json')) return `${response.status} with ${type || 'no type'}`;
  const problem = JSON.parse(text) as Problem;
  for (const name of ['type', 'title', 'detail', 'code', 'requestId'] as const) {
    if (typeof problem[name] !== 'string') return `problem without ${name}`;
  }
  onCode(String(problem.code));
  if (problem.status !== response.status) return `body says ${problem.status}, status is ${response.status}`;
  if (problem.requestId !== response.headers.get('x-request-id')) return 'request ids differ';
  if (retryable.has(response.status) && !response.headers.get('retry-after'))
    return `${response.status} without Retry-After`;
  const leak = insides.exec(text);
  return leak ? `reveals internals: ${leak[0]}` : undefined;
}

/**
 * Like `findProblemFault`, for endpoints that imitate another service's interface: an error response must be JSON in
 * the format of that service, not in ours. `findShapeFault` checks this format.
 */
export async function findForeignFault(
  response: Response,
  findShapeFault: (json: unknown) => string | undefined,
): Promise<string | undefined> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) return `${response.status} with ${type || 'no type'}`;
  if (retryable.has(response.status) && !response.headers.get('retry-after'))
    return `${response.status} without Retry-After`;
  const leak = insides.exec(text);
  return leak ? `reveals internals: ${leak[0]}` : findShapeFault(JSON.parse(text));
}

/** A temporary refusal that a client can retry. */
export const isPutOff = (response: Response): boolean =>
  (response.status === 429 || response.status === 503) && response.headers.has('retry-after');

/** Names with their counts, the most frequent first: `200 × 12, 503 × 3`. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string | number): void {
    this.#counts.set(String(name), this.count(name) + 1);
  }
  count(name: string | number): number {
    return this.#counts.get(String(name)) ?? 0;
  }
  get size(): number {
    return this.#counts.size;
  }
  get sum(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }
  toString(): string {
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a);
    return sorted.map(([name, count]) => `${name} × ${count}`).join(', ') || 'none';
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
