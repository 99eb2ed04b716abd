/** Limits on requests. `GET /v1/limits` publishes them all. */
import { z } from 'zod';
import { setting, whole } from './setting.ts';

const MiB = 1024 * 1024;

export const limitSettings = {
  MAX_FILE_BYTES: setting(whole(1_000, 1_000 * MiB).default(25 * MiB), 'Largest upload.'),
  MAX_MEGAPIXELS: setting(z.coerce.number().min(0.001).max(500).default(50), 'Maximum size of a picture.'),
  MAX_AVIF_MEGAPIXELS: setting(
    z.coerce.number().min(0.001).max(500).default(25),
    'Maximum size of an AVIF; its decoder needs three times the memory of the others.',
  ),
  READ_HEIC: setting(
    z.enum(['true', 'false']).default('true'),
    'Whether HEIC photos, as iPhones take them, are read. Each is decoded in a process of its own (libheif, LGPL-3.0). With `false` they get 415.',
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
    'Maximum bytes of all files of one batch together; each within MAX_FILE_BYTES, and the whole request within UPLOAD_TIMEOUT_MS.',
  ),
  MAX_BATCH_ITEMS: setting(whole(1, 1_000).default(1_000), 'Most items of a batch.'),
  URL_FETCH_TIMEOUT_MS: setting(
    whole(100, 600_000).default(15_000),
    'Timeout for fetching a photo from its URL.',
  ),
  URL_FETCH_REDIRECTS: setting(whole(0, 20).default(3), 'Maximum redirects from the URL of a photo.'),
};
