/** Bad pictures and bad forms for the two upload endpoints. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Case } from './corpus-requests.ts';
import { type Format, makePhoto } from './photos.ts';
import { formWith } from './service.ts';

const formats: readonly Format[] = ['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'];
const endpoints = ['/v1/design/image-upload', '/v1/illustrations'];
const refused = [400, 413, 415, 422];

export async function listFileCases(full: boolean): Promise<Case[]> {
  const files = [
    ...listOtherFormats(),
    ...(await listBrokenPictures(full ? 40 : 4)),
    ...(await listSizes()),
    ...(await listOddPhotos()),
  ];
  return endpoints.flatMap((path) => [
    ...files.map(({ name, bytes, allowed }) => ({
      name: `${path} ${name}`,
      allowed,
      send: (service: Parameters<Case['send']>[0]) =>
        service.call(path, { method: 'POST', body: formWith(bytes) }),
    })),
    ...listForms(path),
  ]);
}

interface BadFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly allowed: readonly number[];
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const brand = (name: string): Buffer => ascii(`\0\0\0\x18ftyp${name}\0\0\0\0${name}mif1${'\0'.repeat(64)}`);

/** Files that people mistake for photos; most consist only of the magic bytes of their format. */
function listOtherFormats(): BadFile[] {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
  const beginnings: Record<string, Buffer> = {
    svg: ascii(svg),
    'svg with a preamble': ascii(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]>${svg}`),
    pdf: ascii('%PDF-1.7\n1 0 obj\n'),
    heic: brand('heic'),
    heix: brand('heix'),
    mp4: brand('isom'),
    bmp: ascii(`BM${'\0'.repeat(60)}`),
    ico: ascii(`\0\0\x01\0\x01\0${'\0'.repeat(60)}`),
    psd: ascii(`8BPS\0\x01${'\0'.repeat(60)}`),
    jxl: ascii(`\xff\x0a${'\0'.repeat(60)}`),
    jp2: ascii(`\0\0\0\x0cjP  \r\n\x87\n${'\0'.repeat(60)}`),
    exr: ascii(`v/1\x01${'\0'.repeat(60)}`),
    hdr: ascii('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\n'),
    fits: ascii(`SIMPLE  =                    T${' '.repeat(60)}`),
    ppm: ascii('P6 2 2 255 abcdefabcdef'),
    PostScript: ascii('%!PS-Adobe-3.0 EPSF-3.0\n'),
    'ImageMagick script': ascii("push graphic-context\nfill 'url(http://127.0.0.1/)'\n"),
    html: ascii('<!doctype html><script>alert(1)</script>'),
    zip: ascii(`PK\x03\x04${'\0'.repeat(60)}`),
    gzip: ascii(`\x1f\x8b\x08${'\0'.repeat(60)}`),
    elf: ascii(`\x7fELF${'\0'.repeat(60)}`),
    json: ascii('{"a":1}'),
    text: ascii('This is no picture.'),
    zeros: Buffer.alloc(5_000),
  };
  return Object.entries(beginnings).map(([name, bytes]) => ({ name, bytes, allowed: [415, 422] }));
}

/** A reproducible random generator. */
function makeDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function listBrokenPictures(flipped: number): Promise<BadFile[]> {
  const files: BadFile[] = [];
  const dice = makeDice(7);
  for (const format of formats) {
    const photo = await makePhoto({ format, width: 400, height: 300 });
    for (const share of [0.02, 0.3, 0.6, 0.95]) {
      const bytes = photo.subarray(0, Math.max(12, Math.floor(share * photo.length)));
      files.push({ name: `${format} cut at ${share}`, bytes, allowed: [415, 422] });
    }
    files.push({ name: `${format}, first 16 bytes`, bytes: photo.subarray(0, 16), allowed: [415, 422] });
    for (let index = 0; index < flipped; index++) {
      const bytes = Buffer.from(photo);
      for (let flips = 0; flips < 20; flips++)
        bytes[Math.floor(dice() * bytes.length)] = Math.floor(dice() * 256);
      // Some of these files are still valid pictures.
      files.push({ name: `${format} with bytes flipped, ${index}`, bytes, allowed: [200, ...refused, 503] });
    }
    files.push({
      name: `${format} behind a script`,
      bytes: Buffer.concat([ascii('#!/bin/sh\n'), photo]),
      allowed: [415, 422],
    });
  }
  return files;
}

/** A PNG whose header claims this size. */
function claimPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([ascii(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    ascii('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function listSizes(): Promise<BadFile[]> {
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888' }, limitInputPixels: false });
  const gif = Buffer.from(await makePhoto({ format: 'gif' }));
  gif.writeUInt16LE(65_535, 6);
  gif.writeUInt16LE(65_535, 8);
  const sizes: (readonly [string, Uint8Array, readonly number[]])[] = [
    ['empty file', Buffer.of(), [400]],
    ['one byte', Buffer.of(0xff), [415, 422]],
    ['PNG that claims 30,000 a side', claimPng(30_000, 30_000), [413]],
    ['PNG that claims 2 billion a side', claimPng(2 ** 31 - 1, 2 ** 31 - 1), [413, 422]],
    ['PNG that claims no width', claimPng(0, 100), [415, 422]],
    ['PNG whose pixels are missing', claimPng(1_000, 1_000), [422]],
    ['GIF that claims 65,535 a side', gif, [413, 422]],
    ['60 megapixels', await flat(10_000, 6_000).png({ compressionLevel: 1 }).toBuffer(), [413]],
    ['one side too long', await flat(20_000, 32).png().toBuffer(), [413]],
    ['15 pixels a side', await flat(15, 15).png().toBuffer(), [422]],
    ['1 pixel', await flat(1, 1).png().toBuffer(), [422]],
    ['26 MiB', Buffer.alloc(26 * 1024 * 1024, 1), [413, 415]],
    ['26 MiB that begin as JPEG', Buffer.concat([await makePhoto(), Buffer.alloc(26 * 1024 * 1024)]), [413]],
  ];
  return sizes.map(([name, bytes, allowed]) => ({ name, bytes, allowed }));
}

/**
 * Unusual photos, of kinds that only programs produce. If the service accepts one of them as an upload, it must also be
 * able to render it.
 */
async function listOddPhotos(): Promise<BadFile[]> {
  const jpeg = await makePhoto();
  const crate = (width: number, height: number) => makePhoto({ width, height, format: 'png' });
  const photos: Record<string, Uint8Array> = {
    '16 pixels a side': await crate(16, 16),
    '17 by 4000 pixels': await crate(17, 4_000),
    'CMYK JPEG': await sharp(jpeg).toColourspace('cmyk').jpeg().toBuffer(),
    'gray JPEG': await sharp(jpeg).greyscale().jpeg().toBuffer(),
    '16-bit PNG': await sharp(jpeg).toColourspace('rgb16').png().toBuffer(),
    'JPEG without Huffman tables': dropSegments(jpeg, 0xc4),
    'JPEG without quantization tables': dropSegments(jpeg, 0xdb),
    'one color': await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
      .png()
      .toBuffer(),
    noise: await sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer(),
  };
  return Object.entries(photos).map(([name, bytes]) => ({ name, bytes, allowed: [200, ...refused] }));
}

/** Removes all segments of one kind from a JPEG. */
function dropSegments(jpeg: Buffer, marker: number): Buffer {
  const kept = [jpeg.subarray(0, 2)];
  let at = 2;
  while (jpeg[at + 1] !== 0xda) {
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] !== marker) kept.push(jpeg.subarray(at, next));
    at = next;
  }
  return Buffer.concat([...kept, jpeg.subarray(at)]);
}

function listForms(path: string): Case[] {
  const photo = ascii('not looked at');
  const raw = (name: string, body: string, type: string, allowed: readonly number[] = refused): Case => ({
    name: `${path} ${name}`,
    allowed,
    send: (service) => service.call(path, { method: 'POST', body, headers: { 'content-type': type } }),
  });
  const form = (name: string, make: () => FormData, allowed: readonly number[] = refused): Case => ({
    name: `${path} ${name}`,
    allowed,
    send: (service) => service.call(path, { method: 'POST', body: make() }),
  });
  const multipart = 'multipart/form-data; boundary=b';
  const part = (head: string, body = 'x') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
  const filePart = 'content-disposition: form-data; name="file"; filename="a.jpg"';
  return [
    raw('JSON instead of a form', '{"file":"x"}', 'application/json', [400]),
    raw('picture instead of a form', 'x', 'image/jpeg', [400, 415]),
    raw('no boundary', part(filePart), 'multipart/form-data'),
    raw('wrong boundary', part(filePart), 'multipart/form-data; boundary=c'),
    raw('boundary of 300', part(filePart), `multipart/form-data; boundary=${'b'.repeat(300)}`),
    raw('no closing boundary', part(filePart), multipart),
    raw('only the closing boundary', '--b--\r\n', multipart, [400]),
    raw('empty body', '', multipart, [400]),
    raw('part without a head', `--b\r\n\r\nx\r\n--b--\r\n`, multipart),
    raw('part without a name', `${part('content-disposition: form-data; filename="a"')}--b--\r\n`, multipart),
    raw(
      'file field as text',
      `${part('content-disposition: form-data; name="file"')}--b--\r\n`,
      multipart,
      [400],
    ),
    raw('head of 40 kB', `${part(`${filePart}\r\nx-long: ${'y'.repeat(40_000)}`)}--b--\r\n`, multipart),
    raw(
      'declared as base64',
      `${part(`${filePart}\r\ncontent-transfer-encoding: base64`, 'AAAA')}--b--\r\n`,
      multipart,
    ),
    raw('path as file name', `${part(filePart.replace('a.jpg', '../../a.jpg'))}--b--\r\n`, multipart),
    raw('__proto__ as field name', `${part(filePart.replace('"file"', '"__proto__"'))}--b--\r\n`, multipart),
    raw('head of 1 MB', `${part(`${filePart}\r\nx-long: ${'y'.repeat(1_000_000)}`)}--b--\r\n`, multipart),
    raw('a thousand part headers', `${part(`${filePart}${'\r\na: b'.repeat(1_000)}`)}--b--\r\n`, multipart),
    form('a second file', () => {
      const two = formWith(photo);
      two.append('file', new Blob(['x']), 'b.jpg');
      return two;
    }),
    form('file in another field', () => formWith(photo, 'image'), [400]),
    form('file in a field named File', () => formWith(photo, 'File'), [400]),
    form('no part', () => new FormData(), [400]),
    form('twenty parts', () => {
      const many = formWith(photo);
      for (let index = 0; index < 20; index++) many.append(`f${index}`, 'x');
      return many;
    }),
    form('field of 1 MB', () => {
      const long = new FormData();
      long.append('productKind', 'x'.repeat(1_000_000));
      long.append('file', new Blob(['x']), 'a.jpg');
      return long;
    }),
  ];
}
