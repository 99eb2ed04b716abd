import { describe, expect, it } from 'vitest';
import { sniffFormat } from './sniff-format.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const ftyp = (brands: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 8 + brands.length]), latin1(`ftyp${brands}`), Buffer.alloc(40)]);
const bmpHeader = Buffer.from(`424d${'36040000'}${'00000000'}${'36000000'}${'28000000'}${'10000000'}`, 'hex');

describe("detecting a file's format", () => {
  it.each([
    ['Camera raw', ftyp('crx \0\0\0\x01crx isom')],
    ['Camera raw', latin1('FUJIFILMCCD-RAW 0201')],
    ['MP4 and MOV', ftyp('isom\0\0\x02\0isomiso2mp41')],
    ['MP4 and MOV', ftyp('qt  \0\0\0\0qt  ')],
    ['MP4 and MOV', latin1('\0\0\0\x08wide\0\0\0\0mdat')],
    ['PDF', latin1('%PDF-1.7 ...')],
    ['SVG', latin1('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', Buffer.from('\uFEFF<svg:svg width="9"/>', 'utf8')],
    ['SVG', Buffer.from('\uFEFF<svg width="9"/>', 'utf16le')],
    ['SVG', latin1(`<!-- ${'licence '.repeat(2000)} --><svg/>`)],
    ['SVG', latin1('<!DOCTYPE svg PUBLIC "x" [ <!ENTITY a "b"> ]>\n<svg>')],
    ['HTML', latin1('<!DOCTYPE html><html><body><svg width="9"></svg>')],
    ['HTML', latin1('<html>\n<svg >')],
    ['JPEG XL', Buffer.from('ff0a00', 'hex')],
    ['JPEG 2000', Buffer.from('0000000c6a5020200d0a870a', 'hex')],
    ['BMP', bmpHeader],
    ['gzip', Buffer.from('1f8b0800', 'hex')],
  ])('names the format when it refuses %s', (name, bytes) => {
    expect(() => sniffFormat(bytes)).toThrow(
      expect.objectContaining({ code: 'unsupported_image_format', message: expect.stringContaining(name) }),
    );
  });

  it.each([
    ['a text that begins like a BMP', 'BMW is a car, and a long one at that'],
    ['a text that mentions <svg >', 'to draw, write <svg > and so on'],
    ['a comment without an end', `<!-- ${'<svg>'.repeat(100)}`],
    ['an empty file', ''],
  ])('names no format for %s', (_, text) => {
    expect(() => sniffFormat(latin1(text))).toThrow(/not JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC/);
  });

  it.each(['heic', 'heix', 'hevc', 'mif1', 'msf1'])('detects HEIC by the brand %s', (brand) => {
    expect(sniffFormat(ftyp(`${brand}\0\0\0\0mif1`))).toBe('heic');
  });

  it("reads the brands of an AVIF, but no characters after the file's first box", () => {
    expect(sniffFormat(ftyp('mif1\0\0\0\0mif1avif'))).toBe('avif');
    expect(() => sniffFormat(Buffer.concat([ftyp('isom\0\0\0\0'), latin1('avif')]))).toThrow(/MP4/);
  });
});
