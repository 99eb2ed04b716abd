/** Limits of what callers send. `GET /v1/limits` publishes them all. */
import { z } from 'zod';
import { setting, whole } from './setting.ts';

const MiB = 1024 * 1024;

export const limitSettings = {
  MAX_FILE_BYTES: setting(whole(1_000, 1_000 * MiB).default(25 * MiB), 'Largest upload.'),
  MAX_MEGAPIXELS: setting(z.coerce.number().min(0.001).max(500).default(50), 'Largest picture that is read.'),
  MAX_AVIF_MEGAPIXELS: setting(
    z.coerce.number().min(0.001).max(500).default(25),
    'Largest AVIF that is read; its decoder needs three times the memory of the others.',
  ),
  MIN_SIDE_PX: setting(whole(16, 4_096).default(16), 'Smallest side of a picture that is read, in pixels.'),
  MAX_SIDE_PX: setting(
    whole(64, 16_383).default(16_383),
    'Longest side of a picture that is read, in pixels; no more than WebP can hold, so that every cutout exists in every format.',
  ),
  MAX_PROMPT_CHARS: setting(
    whole(1, 10_000).default(1_000),
    'Longest prompt of a suggestion, in characters (Unicode code points).',
  ),
  MAX_JSON_BYTES: setting(whole(1_024, 16 * MiB).default(256 * 1024), 'Largest JSON body, except a batch.'),
  MAX_BATCH_JSON_BYTES: setting(
    whole(1_024, 16 * MiB).default(MiB),
    'Largest JSON document of a batch, as a body or in a form.',
  ),
  MAX_BATCH_BYTES: setting(
    whole(1_000, 100_000 * MiB).default(256 * MiB),
    'Files of one batch together; each of them within MAX_FILE_BYTES, and all of them within UPLOAD_TIMEOUT_MS.',
  ),
  MAX_BATCH_ITEMS: setting(whole(1, 1_000).default(1_000), 'Most items of a batch.'),
  URL_FETCH_TIMEOUT_MS: setting(
    whole(100, 600_000).default(15_000),
    'A photo that takes longer to fetch from its URL is given up.',
  ),
  URL_FETCH_REDIRECTS: setting(
    whole(0, 20).default(3),
    'Redirects that are followed from the URL of a photo.',
  ),
};
