/**
 * IDs that cannot be guessed, are safe in URLs and file names, and are selected as a whole by a double click.
 */
import { randomInt } from 'node:crypto';

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62Alphabet[randomInt(62)]).join('');
}

/** 22 base62 characters are 131 random bits; OWASP's session management cheat sheet requires at least 64. */
export function newId(
  prefix:
    | 'dsg'
    | 'bdp'
    | 'bat'
    | 'acc'
    | 'key'
    | 'job'
    | 'req'
    | 'evt'
    | 'msg'
    | 'dlv'
    | 'whe'
    | 'cal'
    | 'rpc',
): string {
  return `${prefix}_${randomBase62(22)}`;
}
