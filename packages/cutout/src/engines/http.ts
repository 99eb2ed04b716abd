/**
 * A removal engine that runs elsewhere, such as on a machine with a GPU: posts the photo as a form to one URL, and
 * reads a mask or a picture with alpha from the response. Made for the rembg server's `POST /api/remove`.
 *
 * Only the host of that URL is ever contacted: redirects are refused, and proxy environment variables are ignored.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import type { RgbImage, Size } from 'packshot-pixels';
import sharp from 'sharp';
import { type Dispatcher, FormData, Pool } from 'undici';
import { MIN_SIDE_PX, type RemovalEngine } from '../removal-engine.ts';
import { fitInto, resizePhoto } from '../steps/shrink-photo.ts';
import { readAnswer } from './http-answer.ts';

export interface HttpSettings {
  /** http or https, with path and query, without user name. */
  readonly url: string;
  /** Request headers, sent with each call. They never appear in a log or an error. */
  readonly headers: Readonly<Record<string, string>>;
  /** The form's text fields, in order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Name of the form field that contains the photo. */
  readonly fileField: string;
  /** Time limit of one attempt, from connecting to the last byte of the response; at most 28,000. */
  readonly timeoutMs: number;
  /** Attempts after the first, 0 or more. */
  readonly retries: number;
  /** Default: 20 MiB. An incompressible mask of the largest photo sent takes 4 MB. */
  readonly maxAnswerBytes?: number;
  /** Waits between two attempts; default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Maximum longer side of the photo that is sent, in pixels. No model behind such a service works at a higher
 * resolution, so a larger upload would only take longer. The matte is fitted to the photo's size and edges here.
 */
const LONG_SIDE_PX = 2048;
const JPEG_QUALITY = 95;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Limit for all attempts and waits of one call. A photo gets up to four passes, which together must stay below 120 s:
 * after that time, the process that holds the engine is considered hung.
 */
const TOTAL_MS = 28_000;
const FIRST_WAIT_MS = 500;
const DEFAULT_ANSWER_BYTES = 20 * 1024 * 1024;
/** Statuses worth a retry: too many requests, or a service that is starting, stopping or busy (RFC 9110, 15.6). */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

const never = new AbortController().signal;

/** A failure after which another attempt is worthwhile. `waitMs` is set if the service said how long to wait. */
class Passing extends Error {
  override readonly name = 'Passing';
  readonly waitMs: number | undefined;

  constructor(message: string, waitMs?: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/**
 * Sends one small picture, so that a wrong URL, key or field is found at startup and the service loads its model.
 * Rejects with `internal` if the service refuses the call. A service that does not respond yet does not prevent
 * startup.
 */
export async function openHttp(settings: HttpSettings): Promise<RemovalEngine> {
  const url = new URL(settings.url);
  const pool = new Pool(url.origin, {
    // One is enough, because the process makes one cutout at a time.
    connections: 1,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: settings.timeoutMs,
    bodyTimeout: settings.timeoutMs,
    maxHeaderSize: 16_384,
  });
  try {
    await ask(drawCard(), { ...settings, retries: 0 }, { url, pool, signal: never });
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== 'not_ready') {
      await pool.destroy();
      throw error;
    }
  }
  return {
    id: 'http',
    version: `http-${hashSettings(settings)}-1`,
    predictMatte: (source, { signal }) => ask(source, settings, { url, pool, signal }),
    close: () => pool.destroy(),
  };
}

interface Line {
  readonly url: URL;
  readonly pool: Pool;
  readonly signal: AbortSignal;
}

async function ask(source: RgbImage, settings: HttpSettings, line: Line) {
  line.signal.throwIfAborted();
  const { jpeg, size } = await encode(source);
  const answer = await tryUntil(performance.now() + TOTAL_MS, settings, line, jpeg);
  line.signal.throwIfAborted();
  return readAnswer(answer, size);
}

async function tryUntil(
  endMs: number,
  settings: HttpSettings,
  line: Line,
  jpeg: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const wait = settings.wait ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  for (let failures = 0; ; failures++) {
    line.signal.throwIfAborted();
    try {
      return await post(settings, line, jpeg);
    } catch (error) {
      line.signal.throwIfAborted();
      if (!(error instanceof Passing)) throw error;
      const waitMs = error.waitMs ?? FIRST_WAIT_MS * 2 ** failures;
      const tooLate = performance.now() + waitMs + settings.timeoutMs > endMs;
      if (failures === settings.retries || tooLate)
        throw new PackshotError('not_ready', 'The removal service does not respond; try again later.', {
          cause: error,
          retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
        });
      try {
        await wait(waitMs, line.signal);
      } catch (reason) {
        line.signal.throwIfAborted();
        throw reason;
      }
    }
  }
}

/** One attempt. Throws `Passing`, or `internal` for faults that only the operator can fix. */
async function post(
  settings: HttpSettings,
  { url, pool, signal }: Line,
  jpeg: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const form = new FormData();
  for (const [name, value] of settings.fields) form.append(name, value);
  form.append(settings.fileField, new Blob([jpeg], { type: 'image/jpeg' }), 'photo.jpg');
  // The timeout also covers a response that arrives too slowly.
  const stop = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]);
  try {
    const response = await pool.request({
      method: 'POST',
      path: url.pathname + url.search,
      // A compressed response could expand beyond the size limit.
      headers: { accept: 'image/png, image/webp', 'accept-encoding': 'identity', ...settings.headers },
      body: form,
      signal: stop,
    });
    if (response.statusCode !== 200) {
      // Do not wait for the rest of the response. If it is still arriving, this closes the connection.
      response.body.on('error', () => undefined).destroy();
      throw toFailure(response, url);
    }
    return await readBody(response, settings.maxAnswerBytes ?? DEFAULT_ANSWER_BYTES);
  } catch (error) {
    if (error instanceof PackshotError || error instanceof Passing) throw error;
    const why = stop.aborted ? `no complete response within ${settings.timeoutMs} ms` : codeOf(error);
    throw new Passing(`${nameOf(url)}: ${why}`);
  }
}

function toFailure({ statusCode, headers }: Dispatcher.ResponseData, url: URL): Error {
  const what = `${nameOf(url)} responded with status ${statusCode}`;
  if (passing.has(statusCode)) return new Passing(what, readRetryAfter(headers['retry-after']));
  const redirect = statusCode >= 300 && statusCode < 400;
  return new PackshotError(
    'internal',
    redirect
      ? 'The removal service responded with a redirect, which is not followed.'
      : `The removal service refused the call with status ${statusCode}.`,
    { cause: new Error(what) },
  );
}

async function readBody({ body, headers }: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const tooLarge = () =>
    new PackshotError('internal', `The removal service returned more than ${maxBytes} bytes.`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    body.on('error', () => undefined).destroy();
    throw tooLarge();
  }
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Returns milliseconds; the header contains seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header === '') return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Omits the query, which may contain a key. */
const nameOf = ({ origin, pathname }: URL): string => `POST ${origin}${pathname}`;

/** Returns the library's error code. The error's message may quote what was sent, so it is not used. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke';
}

async function encode(source: RgbImage): Promise<{ jpeg: Uint8Array<ArrayBuffer>; size: Size }> {
  const fitting = fitInto(source, LONG_SIDE_PX);
  const size = {
    width: Math.max(MIN_SIDE_PX, fitting.width),
    height: Math.max(MIN_SIDE_PX, fitting.height),
  };
  const { data } = await resizePhoto(source, size);
  try {
    const jpeg = await sharp(data, { raw: { ...size, channels: 3 } })
      .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4', mozjpeg: false, progressive: false })
      .toBuffer();
    return { jpeg: new Uint8Array(jpeg), size };
  } catch (error) {
    throw new PackshotError('internal', 'The photo could not be prepared for its cutout.', { cause: error });
  }
}

/**
 * Covers everything known here that may change the matte: the URL and the form fields. The model behind the
 * URL is unknown.
 */
function hashSettings({ url, fields }: HttpSettings): string {
  return createHash('sha256')
    .update(JSON.stringify([url, fields]))
    .digest('hex')
    .slice(0, 12);
}

/** A dark card on white paper, large enough for any model. */
function drawCard(): RgbImage {
  const side = 128;
  const data = new Uint8Array(side * side * 3).fill(240);
  for (let y = side / 4; y < (side * 3) / 4; y++)
    data.fill(60, (y * side + side / 4) * 3, (y * side + (side * 3) / 4) * 3);
  return { width: side, height: side, data };
}
