/** The keys that callers hold: how they look and how they are remembered. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62Alphabet, randomBase62 } from '../ids.ts';

export const scopes = ['upload', 'suggest', 'render', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/**
 * `psk_live_`, 30 random base62 characters (178 bits) and 6 of CRC-32, so that secret scanners can tell a key from
 * noise and a double click selects all of it.
 */
export function newApiKey(mode: KeyMode): string {
  const body = `psk_${mode}_${randomBase62(30)}`;
  return body + checksum(body);
}

/** What a key was created as. Its row says so: the text of a key that an operator chose means nothing. */
export type KeyMode = 'live' | 'test';

/** The only form in which a key is stored; looking it up by hash leaves no timing to measure. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Enough to recognise a key by, far too little to guess it. */
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
