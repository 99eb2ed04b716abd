/**
 * Strong validators, derived from the inputs of a picture. They are known before rendering, and are equal
 * exactly if the bytes would be equal.
 */
import { createHash } from 'node:crypto';

/** `inputs` must contain everything that determines the bytes, and nothing else. */
export function makeEtag(inputs: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 27)}"`;
}
