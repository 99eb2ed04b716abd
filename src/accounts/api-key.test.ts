import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { base62Alphabet } from '../ids.ts';
import { hashApiKey, hintOf, newApiKey } from './api-key.ts';

describe('a new key', () => {
  it('has a format that secret scanners recognize, with a checksum', () => {
    const key = newApiKey('test');
    expect(key).toMatch(/^psk_test_[0-9A-Za-z]{36}$/);
    const sum = [...key.slice(-6)].reduce((value, digit) => value * 62 + base62Alphabet.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
  });

  it('is different each time', () => {
    expect(new Set(Array.from({ length: 500 }, () => newApiKey('live'))).size).toBe(500);
  });

  it('is recognizable by its hint, which reveals at most four random characters', () => {
    const key = newApiKey('live');
    expect(hintOf(key)).toBe(`${key.slice(0, 'psk_live_'.length + 4)}…`);
    expect(hintOf('my-own-key-of-24-characters')).toBe('my-o…');
  });

  it('is hashed with SHA-256, as a published test vector confirms', () => {
    // FIPS 180-2, appendix B.1.
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
