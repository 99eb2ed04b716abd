/** The URL of a photo, in the body of a call. */
import { z } from 'zod';
import { MAX_URL_LENGTH } from '../designs/check-url.ts';

export const sourceUrlField = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
    error: 'Needs an absolute http or https URL.',
  });
