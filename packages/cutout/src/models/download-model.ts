/**
 * Downloads a model file of up to several gigabytes. Received bytes stay in a partial file, so that a download
 * continues after a broken connection or in a later run (HTTP ranges, RFC 9110, 14). The environment variables
 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY set the proxies.
 */
import { open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import { type Dispatcher, EnvHttpProxyAgent, type Response } from 'undici';
import { checkFile, MAX_MODEL_BYTES, type OnProgress, refused } from './model-file.ts';
import { openModelUrl } from './model-url.ts';
import { readStamp, removePartial, removeStamp, sizeOf, writeStamp } from './partial-file.ts';

export interface DownloadRequest {
  readonly url: string;
  /** Receives the bytes. It is kept if the connection breaks, and deleted if its checksum does not match. */
  readonly partialFile: string;
  /** The expected checksum, if it is known. */
  readonly sha256: string | undefined;
  /** Size of the file, if known in advance. */
  readonly bytes?: number | undefined;
  readonly allowHttp?: boolean;
  /** Called in each attempt when the size is known, before any byte is written. If it rejects, the download ends. */
  readonly admit: (missingBytes: number, totalBytes: number) => Promise<void>;
  readonly onProgress?: OnProgress | undefined;
  readonly signal: AbortSignal;
  /**
   * Pauses after attempts that broke off, in milliseconds. An attempt that received new bytes is followed by the first
   * pause again. If an attempt without new bytes breaks off after the last pause, the download fails.
   */
  readonly pausesMs?: readonly number[];
}

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000];
/** Maximum time without a new byte, in milliseconds; model hosts may take long to find a file. */
const STALL_MS = 60_000;

/**
 * Returns the SHA-256 of the complete `partialFile`. Rejects with `source_fetch_failed`, `invalid_field`,
 * `storage_full` or `storage_unavailable`.
 */
export async function downloadModel(request: DownloadRequest): Promise<string> {
  const { partialFile, pausesMs = PAUSES_MS, signal } = request;
  // Proxies from the environment apply here, because the operator requested this download.
  const dispatcher = new EnvHttpProxyAgent({ headersTimeout: STALL_MS, bodyTimeout: STALL_MS });
  try {
    let most = await sizeOf(partialFile);
    for (let idle = 0; ; ) {
      try {
        await continueDownload(request, dispatcher);
        break;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof BrokenDownload)) throw error;
        const have = await sizeOf(partialFile);
        if (have > most) idle = 0;
        most = Math.max(most, have);
        const waitMs = pausesMs[idle++];
        if (waitMs === undefined) throw error.asRefusal(have);
        await pause(waitMs, undefined, { signal });
      }
    }
  } finally {
    await dispatcher.destroy();
  }
  const sha256 = await checkFile(partialFile, request.sha256).catch(async (error: unknown) => {
    if (error instanceof PackshotError) await removePartial(partialFile);
    throw error;
  });
  await removeStamp(partialFile);
  return sha256;
}

/** The attempt failed, but another one may succeed. */
class BrokenDownload extends Error {
  override readonly name = 'BrokenDownload';

  asRefusal(have: number): PackshotError {
    const kept = have > 0 ? ' The partial download is kept; run the same command to continue.' : '';
    return new PackshotError('source_fetch_failed', `${this.message}${kept}`, { cause: this.cause });
  }
}

/** Resolves when `partialFile` is complete. */
async function continueDownload(request: DownloadRequest, dispatcher: Dispatcher): Promise<void> {
  const { url, partialFile, bytes, signal, admit } = request;
  const have = await sizeOf(partialFile);
  if (bytes !== undefined && have === bytes) return;
  const stamp = have > 0 ? await readStamp(request) : undefined;
  if (have > 0 && !stamp) await removePartial(partialFile);
  const response = await openModelUrl({
    url,
    dispatcher,
    signal,
    allowHttp: request.allowHttp ?? false,
    headers: stamp
      ? { range: `bytes=${have}-`, ...(stamp.etag !== undefined && { 'if-range': stamp.etag }) }
      : {},
  });
  const part = readPart(response, stamp ? have : 0);
  if (part === 'complete') return;
  if (!part) throw await refuseStatus(response, partialFile);
  const { start, totalBytes } = part;
  if (bytes !== undefined && totalBytes !== undefined && totalBytes !== bytes) {
    await response.body?.cancel();
    await removePartial(partialFile);
    throw refused(`The server offers ${totalBytes} bytes, but the file should have ${bytes}.`);
  }
  const expected = totalBytes ?? bytes;
  if (expected !== undefined) {
    await (expected > MAX_MODEL_BYTES
      ? Promise.reject(refused(`The file is larger than ${MAX_MODEL_BYTES} bytes.`))
      : admit(expected - start, expected)
    ).catch(async (error: unknown) => {
      await response.body?.cancel();
      throw error;
    });
  }
  await writeStamp(request, response.headers.get('etag'));
  const arrived = await append(response, { ...request, start, expected });
  if (expected !== undefined && arrived < expected) throw new BrokenDownload(broke);
}

const broke = 'The connection broke before the file was complete.';

interface Appending extends DownloadRequest {
  readonly start: number;
  readonly expected: number | undefined;
}

/** Appends the response to the partial file. Returns the file's new size, in bytes. */
async function append(
  { body }: Response,
  { partialFile, start, expected, onProgress, signal }: Appending,
): Promise<number> {
  let arrived = start;
  const file = await open(partialFile, start > 0 ? 'a' : 'w').catch((cause) => {
    throw toFailure(cause);
  });
  try {
    // Write chunk by chunk. A pipeline would discard its buffered bytes when the connection breaks.
    for await (const chunk of body ?? []) {
      arrived += chunk.length;
      if (arrived > (expected ?? MAX_MODEL_BYTES))
        throw refused('The server sent more bytes than announced.');
      await file.writeFile(chunk);
      onProgress?.(arrived, expected);
    }
    await file.sync();
    return arrived;
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof PackshotError ? cause : toFailure(cause);
  } finally {
    await file.close();
  }
}

/** Returns the part of the file that the response contains; undefined if it contains none. */
function readPart(response: Response, have: number) {
  const { status, headers } = response;
  if (status === 200) {
    const length = Number(headers.get('content-length') ?? Number.NaN);
    return { start: 0, totalBytes: Number.isSafeInteger(length) ? length : undefined };
  }
  const range = headers.get('content-range') ?? '';
  if (status === 416 && have > 0 && range === `bytes */${have}`) return 'complete';
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
  if (status !== 206 || Number(from) !== have) return undefined;
  return { start: have, totalBytes: total === '*' ? undefined : Number(total) };
}

async function refuseStatus({ status, body }: Response, partialFile: string): Promise<Error> {
  await body?.cancel();
  // The server cannot serve this range: start from the beginning.
  if (status === 206 || status === 416) {
    await removePartial(partialFile);
    return new BrokenDownload(`The server responded to a range request with status ${status}.`);
  }
  const message = `The server responded with status ${status}.`;
  const passes = status === 408 || status === 429 || status >= 500;
  return passes ? new BrokenDownload(message) : new PackshotError('source_fetch_failed', message);
}

function toFailure(cause: unknown): Error {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new PackshotError('storage_full', 'The disk is full; the partial download is kept.', { cause });
  if (code === 'EACCES' || code === 'EROFS')
    return new PackshotError('storage_unavailable', 'The models folder cannot be written.', { cause });
  return Object.assign(new BrokenDownload(broke), { cause });
}
