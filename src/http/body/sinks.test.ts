import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBase64Sink } from './base64-sink.ts';
import { createJsonSink, type JsonRules, plainJson, type SentJson } from './json-sink.ts';
import type { BodySink } from './receive-body.ts';
import { createUrlEncodedSink } from './url-encoded-sink.ts';

const MB = 1_000_000;
const rules: JsonRules = {
  ...plainJson,
  mostBytes: 64 * 1024,
  mostValues: 100,
  mostDepth: 2,
  hasLists: false,
  files: ['photo'],
  mostFileBytes: 25 * MB,
};

/** Sends the text in pieces of the given size; returns what the sink made of it. */
function send<T>(sink: BodySink<T>, text: string | Buffer, size = 65_536): T {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) sink.push(bytes.subarray(at, at + size));
  return sink.end();
}

/** How many bytes a sink takes before it refuses the text. */
function bytesUntilRefusal(sink: BodySink<SentJson>, text: string): number {
  const bytes = Buffer.from(text);
  const size = 16_384;
  for (let at = 0; at < bytes.length; at += size) {
    try {
      sink.push(bytes.subarray(at, at + size));
    } catch {
      return at + size;
    }
  }
  return Number.POSITIVE_INFINITY;
}

describe('a large body that is costly to parse is refused after its first 100 kB', () => {
  const unit = 2 * MB;
  it.each([
    ['a list', `{"a":[${'1,'.repeat(unit / 2)}1]}`],
    ['many fields', `{${'"a":1,'.repeat(unit / 6)}"b":1}`],
    ['deep objects', '{"a":'.repeat(unit / 5)],
    ['a long text', `{"a":"${'x'.repeat(unit)}"}`],
    ['a long text of escape sequences', `{"a":"${'\\\\'.repeat(unit / 2)}"}`],
    ['a long name', `{"${'x'.repeat(unit)}":1}`],
    ['a long number', `{"a":${'1'.repeat(unit)}}`],
    ['a long text beside a photo', `{"photo":"AAAA","a":"${'x'.repeat(unit)}"}`],
    ['a photo in another object', `{"a":{"photo":"${'A'.repeat(unit)}"}}`],
  ])('JSON with %s', (_, text) => {
    expect(bytesUntilRefusal(createJsonSink(rules), text)).toBeLessThan(100_000);
  });

  it.each([
    ['many fields', 'a=1&'.repeat(unit / 4)],
    ['many empty fields', '&'.repeat(unit)],
    ['a long field', `a=${'x'.repeat(unit)}`],
    ['a long name', 'x'.repeat(unit)],
  ])('an urlencoded form with %s', (_, text) => {
    expect(bytesUntilRefusal(createUrlEncodedSink(rules), text)).toBeLessThan(100_000);
  });
});

describe('a file in JSON', () => {
  const fields = fc.record({
    photo: fc.uint8Array({ minLength: 1, maxLength: 200 }),
    note: fc.string({ unit: 'binary', maxLength: 40 }),
  });

  it('is decoded, and all else stays the same, wherever the body is split', () => {
    fc.assert(
      fc.property(fields, fc.integer({ min: 1, max: 50 }), ({ photo, note }, size) => {
        const text = JSON.stringify({ note, photo: Buffer.from(photo).toString('base64'), more: [note] });
        const sent = send(createJsonSink({ ...rules, hasLists: true }), text, size);
        expect(sent.files.get('photo')).toEqual(Buffer.from(photo));
        expect(JSON.parse(sent.text.toString())).toEqual({ note, photo: '', more: [note] });
      }),
      { seed: 1 },
    );
  });

  it('of JSON without files leaves the text unchanged, wherever it is split', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 1, max: 50 }), (value, size) => {
        const text = JSON.stringify(value);
        const sink = createJsonSink({ ...rules, ...plainJson, files: ['photo'], uncounted: ['a'] });
        expect(send(sink, text, size).text.toString()).toBe(text);
      }),
      { seed: 1 },
    );
  });

  it('that is too large is refused as a file', () => {
    const sink = createJsonSink({ ...rules, mostFileBytes: 1_000 });
    expect(() => send(sink, `{"photo":"${'A'.repeat(2_000)}"}`)).toThrow('larger than 1000 bytes');
  });

  it('does not count if it stays in the text', () => {
    const sink = createJsonSink({ ...rules, uncounted: ['base64'] });
    const text = `{"params":{"base64":"${'A'.repeat(MB)}"}}`;
    expect(send(sink, text).text.toString()).toBe(text);
  });
});

describe('base64', () => {
  const bytes = Buffer.from([...Array(251).keys(), 62 << 2, 63 << 2, 0xfb, 0xff]);
  const text = bytes.toString('base64');
  it.each([
    ['as it is', text, 'none'],
    ['with a data: prefix', `data:image/png;base64,${text}`, 'none'],
    ['with blanks before the prefix', ` \n data:image/png;charset=x;base64,${text}`, 'none'],
    ['with line breaks', text.replace(/.{76}/g, '$&\r\n'), 'none'],
    ['in the alphabet of URLs', bytes.toString('base64url'), 'none'],
    ['with blanks in place of plus signs', text.replaceAll('+', ' '), 'none'],
    ['with the escapes of JSON', text.replaceAll('/', '\\/').replaceAll('+', '\\u002B'), 'json'],
    ['with line breaks in JSON', text.replace(/.{76}/g, '$&\\r\\n'), 'json'],
    ['with the escapes of forms', encodeURIComponent(text), 'url'],
    ['with unescaped plus signs in a form', text.replaceAll('=', '%3d'), 'url'],
  ] as const)('%s is decoded, wherever it is split', (_, sent, escapes) => {
    for (const size of [1, 2, 3, 5, 7, 64, 1_000])
      expect(send(createBase64Sink(1_000, escapes), sent, size)).toEqual(bytes);
  });

  it('is absent without a text, and empty without a digit', () => {
    expect(send(createBase64Sink(10), '')).toBeUndefined();
    expect(send(createBase64Sink(10), '!!')).toEqual(Buffer.alloc(0));
  });
});
