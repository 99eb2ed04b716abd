/**
 * Strong validators (ETags), derived from the inputs of a picture, so they are known before rendering. Pictures with
 * the same ETag have the same bytes; a different ETag means only that an input differs.
 */
import { createHash } from 'node:crypto';

/** `inputs` must contain everything that determines the bytes, and nothing else. */
export function makeEtag(inputs: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 27)}"`;
}
