import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorTable, PackshotError } from './index.ts';

const codes = Object.keys(errorTable) as ErrorCode[];
const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('an error', () => {
  it('about one field names the field by pointer, given to the constructor or to at()', () => {
    const error = new PackshotError('queue_full', 'Full.', { retryAfterS: 9 });
    expect(error.at('/url')).toMatchObject({
      code: 'queue_full',
      message: 'Full.',
      retryAfterS: 9,
      cause: error,
      fields: [{ pointer: '/url', code: 'queue_full', detail: 'Full.' }],
    });
    expect(new PackshotError('unknown_recipe', 'None.', { pointer: '/recipeId' }).fields).toEqual([
      { pointer: '/recipeId', code: 'unknown_recipe', detail: 'None.' },
    ]);
  });
});

describe('the error table', () => {
  it('matches docs/errors.md, both ways', async () => {
    const rows = [
      ...(await read('docs/errors.md')).matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+?) \| (yes|) ?\|$/gm),
    ].map(([, status, code, title, retry]) => ({
      code,
      status: Number(status),
      title,
      retryable: retry === 'yes',
    }));
    expect(rows).toEqual(
      codes.map((code) => {
        const { status, title, retryable } = errorTable[code];
        return { code, status, title, retryable };
      }),
    );
  });

  it('has no code without an acceptance test', async () => {
    const folder = new URL('../../test/acceptance/', import.meta.url);
    const tests = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
    expect(tests.length).toBeGreaterThan(5);
    const texts = await Promise.all(tests.map((name) => readFile(new URL(name, folder), 'utf8')));
    const unprovoked = codes.filter(
      (code) => !texts.some((text) => new RegExp(`['"\`]${code}['"\`]`).test(text)),
    );
    expect(unprovoked).toEqual([]);
  });

  it('never blames the caller for a retryable error, except for the call rate', () => {
    const later = codes.filter((code) => errorTable[code].retryable);
    expect(later.filter((code) => errorTable[code].fault === 'caller')).toEqual(['rate_limited']);
    for (const code of later) expect([429, 503, 504, 507], code).toContain(errorTable[code].status);
    for (const code of codes.filter((one) => errorTable[one].status < 429)) {
      expect(errorTable[code], code).toMatchObject({ fault: 'caller', retryable: false });
    }
  });
});

describe('a PackshotError', () => {
  it('has the values of its table row, and Retry-After only if its code is retryable', () => {
    expect(new PackshotError('storage_full', 'no room')).toMatchObject({
      status: 507,
      retryable: true,
      retryAfterS: 1,
    });
    expect(new PackshotError('queue_full', 'busy', { retryAfterS: 5 }).retryAfterS).toBe(5);
    expect(new PackshotError('missing_file', 'none').retryAfterS).toBeUndefined();
  });

  it('keeps its cause, and has none if none was given', () => {
    const cause = new Error('below');
    expect(new PackshotError('internal', 'x', { cause }).cause).toBe(cause);
    expect('cause' in new PackshotError('internal', 'x')).toBe(false);
  });
});
