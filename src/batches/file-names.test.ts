import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameFiles } from './file-names.ts';

const named = (...names: (string | undefined)[]) =>
  nameFiles(names.map((name) => ({ name, format: 'jpeg' })));

describe('file names', () => {
  it('default to the numbers of the items', () => {
    expect(named(undefined, '', '  ', '...')).toEqual(['0001.jpeg', '0002.jpeg', '0003.jpeg', '0004.jpeg']);
  });

  it("keep the caller's names, without the extension of the photo", () => {
    expect(named('Täßchen ☕ blau', 'SKU-0042.JPG', 'v1.2')).toEqual([
      'Täßchen ☕ blau.jpeg',
      'SKU-0042.jpeg',
      'v1.2.jpeg',
    ]);
  });

  it('cannot traverse to another folder', () => {
    expect(named('../../etc/passwd', '/root', 'C:\\x', '~/a')).toEqual([
      '_.._etc_passwd.jpeg',
      '_root.jpeg',
      'C_x.jpeg',
      '~_a.jpeg',
    ]);
  });

  it('cannot be read as an option of a command, and hold no invisible characters', () => {
    expect(named('-rf mug', '--', 'a\u061cb', '\ufeffmug')).toEqual([
      'rf mug.jpeg',
      '0002.jpeg',
      'a_b.jpeg',
      '_mug.jpeg',
    ]);
  });

  it('are not reserved device names of Windows', () => {
    expect(named('con', 'LPT1.old', 'console')).toEqual(['_con.jpeg', '_LPT1.old.jpeg', 'console.jpeg']);
  });

  it('get a number if they are equal or differ only in case', () => {
    expect(named('mug', 'MUG', 'mug-2', 'mug.png')).toEqual([
      'mug.jpeg',
      'MUG-2.jpeg',
      'mug-2-2.jpeg',
      'mug-3.jpeg',
    ]);
  });

  it('have a folder if the caller wants one, in which they need only differ from each other', () => {
    const names = ['amazon', 'amazon', 'Amazon', '../a/b', ''].map(
      (folder) => ({ name: 'mug', folder, format: 'jpeg' }) as const,
    );
    expect(nameFiles(names)).toEqual([
      'amazon/mug.jpeg',
      'amazon/mug-2.jpeg',
      'Amazon/mug-3.jpeg',
      '_a_b/mug.jpeg',
      'mug.jpeg',
    ]);
  });

  it('are safe and unique for any input', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('a', 'A', 'a.jpg', '0002'),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (names) => {
        const files = named(...names);
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
        for (const file of files) {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: the test requires that there are none.
          expect(file).not.toMatch(/[\\/:*?"<>|\u0000-\u001f]|^\.|^\s|^-/);
          expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
        }
      }),
      { numRuns: 30 },
    );
  });
});
