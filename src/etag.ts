/** Strong validators made from inputs: known before a pixel is touched, equal exactly if the bytes would be. */
import { createHash } from 'node:crypto';

/** `inputs` must hold everything that decides the bytes, and nothing else. */
export function makeEtag(inputs: readonly unknown[]): string {
  return `"${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 27)}"`;
}
