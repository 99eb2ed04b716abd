/** A server that the operator configured, and the limits of calls to it. */

export interface RemoteSettings {
  /**
   * Deadline in milliseconds for one picture with all retries, 1,000 to 300,000. The maximum is the timeout of Node's
   * fetch.
   */
  readonly timeoutMs: number;
  /** Retries per picture, 0 or more. */
  readonly retries: number;
  /** Maximum size of each decompressed response; default 32 MiB. A noisy 2048² PNG is 12 MiB, or 16 MiB as base64. */
  readonly maxAnswerBytes?: number;
  /** Waits between two retries or polls; the default uses a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface RemoteTarget extends RemoteSettings {
  /** Base URL of the server. No other origin is called, except to fetch a result from a public https address. */
  readonly url: URL;
  /** As its failures call it; default: `illustration server`. */
  readonly name?: string;
  /** Strings to redact from errors: keys and header values. */
  readonly secrets: readonly string[];
}

export const nameOf = ({ name = 'illustration server' }: RemoteTarget): string => `The ${name}`;
