/** API keys: their format and hash. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62Alphabet, randomBase62 } from '../ids.ts';

export const scopes = ['upload', 'suggest', 'render', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/**
 * `psk_live_`, 30 random base62 characters (178 bits) and a 6-character CRC-32, so that secret scanners can
 * verify a candidate and a double click selects the whole key.
 */
export function newApiKey(mode: KeyMode): string {
  const body = `psk_${mode}_${randomBase62(30)}`;
  return body + checksum(body);
}

/**
 * The mode that a key was created with, from its row. The prefix is ignored, because an operator can choose a
 * key with any prefix.
 */
export type KeyMode = 'live' | 'test';

/** Keys are stored only as this hash; a lookup by hash leaks nothing through timing. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** A prefix that is long enough to recognize a key, but far too short to guess the rest from. */
export function hintOf(key: string): string {
  return key.startsWith('psk_') ? `${key.slice(0, 13)}…` : `${key.slice(0, 4)}…`;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text = base62Alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
