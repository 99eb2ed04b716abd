/** The photo's metadata in pictures: none by default; on request, only the tags that a shop publishes. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPhotoTags } from '../../packages/photos/src/photo-tags.ts';
import {
  allowedTags,
  keptTags,
  listTags,
  serialNumber,
  taggedPhoto,
} from '../../packages/photos/src/testing/tagged-photo.ts';
import { packshot } from './command.ts';
import { cratePhoto, problemOf, type Service, startService, transparent, white } from './service.ts';

const limits = { maxBytes: 1e8, maxPixels: 1e8, maxAvifPixels: 1e8, minSidePx: 1, maxSidePx: 1e5 };
const shadow = { recipeId: 'Surface001', variant: '1:1' };

let folder: string;
let service: Service;
let id: string;
const at = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-metadata-'));
  await mkdir(at('photos'));
  await writeFile(at('photos', 'crate.jpg'), await taggedPhoto());
  service = await startService();
  id = await service.upload(await taggedPhoto());
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function expectTags(picture: Uint8Array): Promise<void> {
  expect(await readPhotoTags({ bytes: picture, limits })).toEqual(keptTags);
  expect((await listTags(picture)).filter((tag) => !allowedTags.has(tag))).toEqual([]);
  const { orientation = 1, exif, xmp } = await sharp(picture).metadata();
  expect(orientation).toBe(1);
  expect(Buffer.concat([exif!, xmp!]).includes(serialNumber)).toBe(false);
}

async function expectNothing(picture: Uint8Array): Promise<void> {
  const { exif, xmp, iptc } = await sharp(picture).metadata();
  expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
}

const photoFor = async (density: number) =>
  sharp(await cratePhoto())
    .withMetadata({ density })
    .jpeg()
    .toBuffer();

async function answerOf(path: string, json?: object) {
  const response = await service.call(path, json && { json: { id, ...json } });
  expect(response.status).toBe(200);
  return { etag: response.headers.get('etag'), bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('a picture', () => {
  it.each([
    ['generated.jpeg', white],
    ['generated.jpeg', shadow],
    ['preview.webp', white],
    ['preview.png', transparent],
    ['preview.avif', shadow],
  ] as const)('%s of %o has the metadata of its photo on request', async (name, recipe) => {
    const path = `/v1/design/${name}`;
    const plain = await answerOf(path, recipe);
    const none = await answerOf(path, { ...recipe, metadata: 'none' });
    const tagged = await answerOf(path, { ...recipe, metadata: 'photo' });
    await expectNothing(plain.bytes);
    expect(none).toEqual(plain);
    await expectTags(tagged.bytes);
    expect(tagged.etag).not.toBe(plain.etag);
    expect(await answerOf(path, { ...recipe, metadata: 'photo' })).toEqual(tagged);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect((await pixels(tagged.bytes)).equals(await pixels(plain.bytes))).toBe(true);
  });

  it.each(['png', 'webp'])('cutout.%s also has the metadata, with unchanged pixels', async (format) => {
    const path = `/v1/design/${id}/cutout.${format}`;
    const plain = await answerOf(path);
    const tagged = await answerOf(`${path}?metadata=photo`);
    await expectNothing(plain.bytes);
    expect(await answerOf(`${path}?metadata=none`)).toEqual(plain);
    await expectTags(tagged.bytes);
    expect(tagged.etag).not.toBe(plain.etag);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect((await pixels(tagged.bytes)).equals(await pixels(plain.bytes))).toBe(true);
  });

  it.each([
    // Readers take a picture without a density for one of 72 dpi.
    [{}, 72],
    [{ metadata: 'photo' }, 300],
    [{ dpi: 150 }, 150],
    [{ metadata: 'photo', dpi: 150 }, 150],
  ])('of a photo of 300 dpi, with %o, states %s dpi', async (wish, dpi) => {
    const body = { id: await service.upload(await photoFor(300)), ...white, ...wish };
    for (const format of ['jpeg', 'png']) {
      const response = await service.call(`/v1/design/generated.${format}`, { json: body });
      const { density } = await sharp(await response.arrayBuffer()).metadata();
      expect(density, format).toBe(dpi);
    }
  });

  it('has no metadata if the EXIF of the photo is damaged', async () => {
    const photo = Buffer.from(await taggedPhoto());
    // Damage the offset of the first directory, which follows `Exif`, two null bytes, the byte order and the number 42.
    const damaged = photo.fill(0xff, photo.indexOf('Exif') + 10, photo.indexOf('Exif') + 14);
    const body = { id: await service.upload(damaged), ...white, metadata: 'photo' };
    const response = await service.call('/v1/design/preview.webp', { json: body });
    expect(response.status).toBe(200);
    await expectNothing(Buffer.from(await response.arrayBuffer()));
  });

  it('is refused if the `metadata` field has an unknown value', async () => {
    const asked = await service.call('/v1/design/preview.webp', { json: { id, ...white, metadata: 'all' } });
    expect(await problemOf(asked)).toMatchObject({ status: 400, errors: [{ pointer: '/metadata' }] });
  });
});

describe('--keep-metadata', () => {
  const there = () => ['--server', service.url, '--key', service.key];
  const onWhite = ['--recipe', 'Solid1_1_0035'];

  async function makeOne(name: string, options: string[], where: 'here' | 'there'): Promise<Buffer> {
    const out = await mkdtemp(at('out-'));
    const words = [name, at('photos'), '-o', out, ...options, ...(where === 'there' ? there() : [])];
    const run = await packshot([...words, '--keep-metadata']);
    expect(run.code, run.stderr).toBe(0);
    const [made, ...others] = (await readdir(out)).filter((file) => !file.startsWith('.'));
    expect(others).toEqual([]);
    return readFile(join(out, made!));
  }

  it.each<[string, string, 'here' | 'there', string[]]>([
    ['remove', 'a cutout, made locally', 'here', []],
    ['remove', 'a WebP, made locally', 'here', ['--format', 'webp']],
    ['remove', 'a picture on white, made locally', 'here', onWhite],
    ['remove', 'a cutout, made by a service', 'there', []],
    ['remove', 'a picture on white, made by a service', 'there', onWhite],
    ['batch', 'a picture on white, made by a service', 'there', onWhite],
  ])('of `packshot %s` adds metadata to %s', async (name, _, where, options) => {
    await expectTags(await makeOne(name, options, where));
  });

  it('of `packshot scene` writes the metadata in addition to the statement of the picture’s origin', async () => {
    const made = await makeOne('scene', ['--count', '1', '--preview'], 'there');
    await expectTags(made);
    expect((await sharp(made).metadata()).xmp!.toString()).toContain('digitalsourcetype/compositeSynthetic"');
  });

  it('is off by default; when it is on, pictures of an earlier run are made again', async () => {
    const words = ['remove', at('photos'), '-o', at('out')];
    expect((await packshot(words)).code).toBe(0);
    await expectNothing(await readFile(at('out', 'crate.png')));
    expect((await packshot([...words, '--keep-metadata'])).code).toBe(0);
    await expectTags(await readFile(at('out', 'crate.png')));
  });

  it('keeps the density of the photo', async () => {
    await mkdir(at('dense'));
    await writeFile(at('dense', 'crate.jpg'), await photoFor(300));
    const words = ['remove', at('dense'), '-o', at('printed'), '--keep-metadata'];
    expect((await packshot([...words, ...onWhite])).code).toBe(0);
    expect((await sharp(at('printed', 'crate.jpg')).metadata()).density).toBe(300);
  });

  it('is refused for a mask', async () => {
    const run = await packshot(['remove', at('photos'), '-o', at('masks'), '--mask', '--keep-metadata']);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep-metadata') });
  });
});
