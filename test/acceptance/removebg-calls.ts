/** For tests of `/v1.0/removebg`: starts a service, calls it, and reads the pictures in its responses. */
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { type PictureServer, servePictures } from './picture-server.ts';
import { cratePhoto, type Service, startService } from './service.ts';

export let service: Service;
export let photo: Buffer;
/** Serves the pictures that the service fetches by URL. */
export let pictures: PictureServer;

/** Sets the three variables above before the first test of a file. */
export function useRemovebg(): void {
  beforeAll(async () => {
    photo = await cratePhoto();
    const backdrop = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#2040c0' } })
      .png()
      .toBuffer();
    pictures = await servePictures({ '/photo.jpg': photo, '/backdrop.png': backdrop });
    service = await startService({ URL_ALLOW: pictures.host });
  });
  afterAll(async () => {
    pictures.close();
    await service.stop();
  });
}

export type Fields = Readonly<Record<string, string | Buffer>>;

export function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'photo.jpg');
  }
  return form;
}

export const send = (fields: Fields, headers: Record<string, string> = {}) =>
  service.call('/v1.0/removebg', { method: 'POST', headers, body: formOf(fields) });
export const cut = (fields: Fields = {}) =>
  send({ image_file: photo, size: 'auto', format: 'png', ...fields });

export async function pixels(response: Response) {
  expect(response.status, await response.clone().text()).toBe(200);
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4),
  ];
  return { ...info, data, at, header: (name: string) => response.headers.get(name) };
}

/** Box of the crate in the photo, in pixels. */
export const crate = { left: 80, top: 60, width: 160, height: 120 };
export const isCrate = ([r = 0, g = 0, b = 0, a = 0]: number[]) =>
  a === 255 && Math.abs(r - 0x7a) < 12 && Math.abs(g - 0x1f) < 12 && Math.abs(b - 0x1f) < 12;

export async function greyOrColor(bytes: Buffer) {
  const { channels: own, format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { own, format, data, width: info.width, first: (pixel: number) => data[pixel * info.channels] };
}

export async function foregroundOf(response: Response) {
  const number = (name: string) => Number(response.headers.get(`x-foreground-${name}`));
  return { left: number('left'), top: number('top'), width: number('width'), height: number('height') };
}
