/**
 * Strong validators (ETags), derived from the inputs of a picture, so they are known before rendering. Two of them are
 * equal if and only if the bytes of their pictures would be equal.
 */
import { createHash } from 'node:crypto';

/** `inputs` must contain everything that determines the bytes, and nothing else. */
export function makeEtag(inputs: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 27)}"`;
}
