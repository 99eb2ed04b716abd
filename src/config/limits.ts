/** Limits on requests, processing time, queues and retention. `GET /v1/limits` publishes those that affect callers. */
import { z } from 'zod';
import { setting, whole } from './setting.ts';

const MiB = 1024 * 1024;

/** Limits that no installation needs to change. */
export const fixedLimits = {
  /** An AVIF's decoder needs three times the memory of other decoders. */
  avifPixels: 25e6,
  minSidePx: 16,
  /** Bounded by WebP, so that every cutout exists in every format. */
  maxSidePx: 16_383,
  promptChars: 1_000,
  jsonBytes: 256 * 1024,
  batchJsonBytes: MiB,
  batchItems: 1_000,
  /** Files that one process receives, fetches or checks at once; at most half of them belong to one account. */
  uploadsInMemory: 16,
  /**
   * A slower upload is refused with 408, so that it does not occupy a place in memory: the average rate that it must have
   * after its first `graceMs`.
   */
  uploadRate: { graceMs: 5_000, minBytesPerSecond: 50_000 },
  urlFetch: { totalTimeoutMs: 15_000, maxRedirects: 3 },
  /** The clients of remove.bg give up after 20 s; after this time, a repeated call gets the cutout that was begun. */
  removebgDeadlineMs: 19_000,
  /** rembg itself has no time limit. */
  rembgDeadlineMs: 600_000,
  looks: 100,
};

export const limitSettings = {
  MAX_FILE_BYTES: setting(whole(1_000, 1_000 * MiB).default(25 * MiB), 'Maximum size of an upload.'),
  MAX_MEGAPIXELS: setting(z.coerce.number().min(0.001).max(500).default(50), 'Maximum size of a picture.'),
  READ_HEIC: setting(
    z.enum(['true', 'false']).default('true'),
    'Whether to accept HEIC photos, as taken by iPhones. Such photos are decoded in a separate process (libheif, LGPL-3.0). With `false`, uploads of HEIC photos get 415.',
  ),
  MAX_BATCH_BYTES: setting(
    whole(1_000, 100_000 * MiB).default(256 * MiB),
    'Maximum bytes of all files of one batch together. MAX_FILE_BYTES limits each file, and UPLOAD_TIMEOUT_MS the whole request.',
  ),
  RATE_PER_SECOND: setting(
    z.coerce.number().min(0.1).max(100_000).default(10),
    'Sustained calls per second for each key; counted across all processes on one PostgreSQL.',
  ),
  RATE_BURST: setting(whole(1, 100_000).default(20), 'Maximum burst of calls per key.'),
  RATE_PATIENCE_MS: setting(
    whole(0, 60_000).default(10_000),
    'How long a call beyond the rate waits for its turn, with its body unread, before it gets 429. A program that calls in a loop is slowed down to the rate instead of refused.',
  ),
  MAX_IN_FLIGHT: setting(
    whole(1, 100_000).default(8),
    'Maximum concurrent calls per key and process; further calls wait for their turn: up to four minutes, or one minute if they send a file.',
  ),
  PREVIEW_DEADLINE_MS: setting(
    whole(100, 600_000).default(30_000),
    'Time limit of a preview, from the moment when the call no longer waits for earlier calls of its key. With that wait, a call ends after four minutes at the latest. A picture that was begun is finished after its deadline, and kept for ten minutes; the next call gets it.',
  ),
  FULL_DEADLINE_MS: setting(
    whole(100, 600_000).default(60_000),
    'Time limit of a full version, and of all other calls that wait for a cutout; counted in the same way.',
  ),
  MAX_WAITING_CUTOUTS: setting(
    whole(0, 1_000_000).default(1_000),
    'Maximum number of photos of one account that wait for their cutouts, counted across all processes. Further uploads get 503 `queue_full` with Retry-After. Accounts take turns, so the waiting photos of one account hardly delay another account.',
  ),
  MAX_WAITING_RENDERS: setting(
    whole(0, 1_000_000).default(64),
    'Maximum number of decodes and renders of one account that wait in one process; further calls get 503 with Retry-After. For all accounts together, a process queues up to 8 times this number. Renders that `api` processes send to workers are counted across all `api` processes, running ones included.',
  ),
  MAX_WAITING_BATCH_ITEMS: setting(
    whole(0, 10_000_000).default(5_000),
    "Batches are refused with 503 `queue_full` and Retry-After while this many pictures of the account's earlier batches are waiting.",
  ),
  RETENTION_DAYS: setting(
    z.coerce.number().min(0).max(36_500).default(7),
    "A design or a backdrop expires at the earliest this many days after its last use, and at the latest an hour after that. The next hourly sweep deletes it. 0 keeps designs and backdrops until a caller deletes them. Opening an illustration's signed URI does not count as use.",
  ),
};
