/** Limits on requests, processing time, queues and retention. `GET /v1/limits` publishes those that affect callers. */
import { z } from 'zod';
import { setting, whole } from './setting.ts';

const MiB = 1024 * 1024;

export const limitSettings = {
  MAX_FILE_BYTES: setting(whole(1_000, 1_000 * MiB).default(25 * MiB), 'Maximum size of an upload.'),
  MAX_MEGAPIXELS: setting(z.coerce.number().min(0.001).max(500).default(50), 'Maximum size of a picture.'),
  MAX_AVIF_MEGAPIXELS: setting(
    z.coerce.number().min(0.001).max(500).default(25),
    'Maximum size of an AVIF; its decoder needs three times the memory of other decoders.',
  ),
  READ_HEIC: setting(
    z.enum(['true', 'false']).default('true'),
    'Whether to accept HEIC photos, as taken by iPhones. Such photos are decoded in a separate process (libheif, LGPL-3.0). With `false`, uploads of HEIC photos get 415.',
  ),
  MIN_SIDE_PX: setting(whole(16, 4_096).default(16), 'Minimum side of a picture, in pixels.'),
  MAX_SIDE_PX: setting(
    whole(64, 16_383).default(16_383),
    'Maximum side of a picture, in pixels; bounded by WebP, so that every cutout exists in every format.',
  ),
  MAX_PROMPT_CHARS: setting(
    whole(1, 10_000).default(1_000),
    'Maximum prompt of a suggestion, in characters (Unicode code points).',
  ),
  MAX_JSON_BYTES: setting(
    whole(1_024, 16 * MiB).default(256 * 1024),
    'Maximum JSON body, except for a batch.',
  ),
  MAX_BATCH_JSON_BYTES: setting(
    whole(1_024, 16 * MiB).default(MiB),
    'Maximum JSON document of a batch, as a body or in a form.',
  ),
  MAX_BATCH_BYTES: setting(
    whole(1_000, 100_000 * MiB).default(256 * MiB),
    'Maximum bytes of all files of one batch together. MAX_FILE_BYTES limits each file, and UPLOAD_TIMEOUT_MS the whole request.',
  ),
  MAX_BATCH_ITEMS: setting(whole(1, 1_000).default(1_000), 'Maximum items of a batch.'),
  MAX_LOOKS: setting(
    whole(0, 10_000).default(100),
    'Maximum looks of one account; saving a further look gets 409.',
  ),
  URL_FETCH_TIMEOUT_MS: setting(
    whole(100, 600_000).default(15_000),
    'Timeout for fetching a photo from its URL.',
  ),
  URL_FETCH_REDIRECTS: setting(whole(0, 20).default(3), 'Maximum redirects from the URL of a photo.'),
  RATE_PER_SECOND: setting(
    z.coerce.number().min(0.1).max(100_000).default(10),
    'Sustained calls per second for each key; counted across all processes on one PostgreSQL.',
  ),
  RATE_BURST: setting(whole(1, 100_000).default(20), 'Maximum burst of calls per key.'),
  MAX_IN_FLIGHT: setting(
    whole(1, 100_000).default(8),
    'Maximum concurrent calls per key and process; further calls wait, within their deadline.',
  ),
  PREVIEW_DEADLINE_MS: setting(whole(100, 600_000).default(10_000), 'Time limit of a preview.'),
  FULL_DEADLINE_MS: setting(whole(100, 600_000).default(25_000), 'Time limit of a full version.'),
  MAX_UPLOADS_IN_MEMORY: setting(
    whole(2, 10_000).default(16),
    'Maximum number of files that one process receives, fetches or checks at once; at most half of them belong to one account. Further uploads wait for up to 30 s, and accounts take turns.',
  ),
  MAX_WAITING_CUTOUTS: setting(
    whole(0, 1_000_000).default(32),
    'Maximum number of photos of one account that wait for their cutouts, counted across all processes. Further uploads get 503 `queue_full` with Retry-After. Accounts take turns, so the waiting photos of one account hardly delay another account.',
  ),
  MAX_WAITING_RENDERS: setting(
    whole(0, 1_000_000).default(64),
    'Maximum number of decodes and renders of one account that wait in one process; further calls get 503 with Retry-After. For all accounts together, a process queues up to 8 times this number. Exception: renders that `api` processes send to workers are counted per account across all `api` processes, including those that are running.',
  ),
  MAX_WAITING_BATCH_ITEMS: setting(
    whole(0, 10_000_000).default(5_000),
    "Batches are refused with 503 `queue_full` and Retry-After while this many pictures of the account's earlier batches are waiting.",
  ),
  RETENTION_DAYS: setting(
    z.coerce.number().min(0).max(36_500).default(7),
    'A design or a backdrop expires at the earliest this many days after its last use, and at the latest an hour after that. The next hourly sweep deletes it. 0 keeps designs and backdrops until a caller deletes them. Opening a signed URI, which needs no key, does not count as use.',
  ),
};
