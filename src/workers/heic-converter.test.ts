import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClosableConverter, createHeicConverter } from './heic-converter.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };
const options = { signal: new AbortController().signal, account: 'acc_a', urgency: 'upload' as const };
const crate = readFileSync(new URL('../../test/fixtures/heic/crate.heic', import.meta.url));

let converter: ClosableConverter | undefined;
afterEach(() => converter?.close());

describe('converting in a child process', () => {
  it('makes a JPEG of a HEIC, and leaves other files as they are', async () => {
    converter = createHeicConverter();
    const jpeg = await converter.toReadable(crate, limits, options);
    expect(Buffer.from(jpeg.subarray(0, 3)).toString('hex')).toBe('ffd8ff');
    const other = Buffer.from('a text');
    expect(await converter.toReadable(other, limits, options)).toBe(other);
  });

  it('refuses a file above the size limit before a process starts', async () => {
    converter = createHeicConverter();
    const few = { ...limits, maxBytes: 100 };
    await expect(converter.toReadable(crate, few, options)).rejects.toMatchObject({ code: 'file_too_large' });
  });

  it('ends a process that takes too much memory, and reports that the photo cannot be decoded', async () => {
    converter = createHeicConverter(new URL('./testing/greedy-worker.ts', import.meta.url));
    await expect(converter.toReadable(crate, limits, options)).rejects.toMatchObject({
      code: 'image_undecodable',
    });
  });

  it('ends the process if its caller leaves', async () => {
    converter = createHeicConverter();
    const leaving = new AbortController();
    const converted = converter.toReadable(crate, limits, { ...options, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(converted).rejects.toThrow('gone');
  });
});
