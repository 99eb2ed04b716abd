/** `/v1/remove-background` as clients of withoutBG's server call it. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, jsonOf, pixelsOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
beforeAll(async () => {
  photo = await cratePhoto();
  service = await startService();
});
afterAll(() => service.stop());

const send = (files: Record<string, Buffer>, query = '') => {
  const form = new FormData();
  for (const [name, bytes] of Object.entries(files))
    form.append(name, new Blob([new Uint8Array(bytes)]), `${name}.png`);
  return service.call(`/v1/remove-background${query}`, { method: 'POST', body: form });
};
/** White in the left half of the photo; at half its size, as editors export masks. */
const leftHalf = () =>
  sharp({ create: { width: 160, height: 120, channels: 3, background: '#000' } })
    .composite([
      { input: { create: { width: 80, height: 120, channels: 3, background: '#fff' } }, left: 0, top: 0 },
    ])
    .png()
    .toBuffer();

describe('/v1/remove-background', () => {
  it('returns the cutout at the size of the photo, or the matte', async () => {
    const { width, height, data } = await pixelsOf(await send({ image: photo }));
    const alphaAt = (x: number, y: number) => data[4 * (y * width + x) + 3];
    expect([width, height, alphaAt(5, 5), alphaAt(160, 120)]).toEqual([320, 240, 0, 255]);
    const matte = await pixelsOf(await send({ image: photo }, '?output=matte'));
    expect([matte.metadata.channels, matte.data[matte.channels * (120 * 320 + 160)]]).toEqual([1, 255]);
  });

  it('keeps and removes what masks say', async () => {
    const mask = await leftHalf();
    const kept = await pixelsOf(await send({ image: photo, keep_mask: mask }));
    expect([...kept.data.subarray(4 * (5 * 320 + 5), 4 * (5 * 320 + 5) + 4)]).toEqual([
      expect.closeTo(0xe8, -1),
      expect.closeTo(0xe6, -1),
      expect.closeTo(0xe2, -1),
      255,
    ]);
    const removed = await pixelsOf(await send({ image: photo, remove_mask: mask }));
    expect([removed.data[4 * (120 * 320 + 120) + 3], removed.data[4 * (120 * 320 + 200) + 3]]).toEqual([
      0, 255,
    ]);
  });

  it('refuses in the format of FastAPI', async () => {
    for (const [answer, words] of [
      [await send({}), /Send the photo as the body, or in a form field named "image"/],
      [await send({ image: photo }, '?output=video'), /image, matte/],
      [await send({ image: Buffer.from('no picture') }), /not JPEG/],
    ] as const) {
      expect(answer.status).toBe(400);
      expect((await jsonOf(answer)).detail).toMatch(words);
    }
  });
});
