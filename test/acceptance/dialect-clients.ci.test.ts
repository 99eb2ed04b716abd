/** Clients of other services that change only their base URL and key, in the most common tools. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientPrograms } from './client-programs.ts';
import { cratePhoto, isScaled, type Service, startService } from './service.ts';

const run = promisify(execFile);
let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'packshot-dialects-'));
  await writeFile(join(folder, 'photo.jpg'), await cratePhoto());
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const { name, isHere } of clientPrograms)
  if (!isHere)
    process.emitWarning(`The drop-in interfaces are not tested in ${name}, which is not installed.`);

describe('a client of remove.bg, Photoroom and rembg', () => {
  for (const { name, program, file, isHere } of clientPrograms) {
    // Each client needs a program that may not be installed.
    // In the setting `scaled`, one is enough: all of them make the same calls.
    it.skipIf(!isHere || (isScaled && name !== 'Node'))(
      `in ${name} works after changing base URL and key`,
      async () => {
        const output = await mkdtemp(join(folder, 'output-'));
        const path = new URL(`dialect-clients/${file}`, import.meta.url).pathname;
        const env = { ...process.env, BASE_URL: service.url, API_KEY: service.key };
        await run(program, [path, join(folder, 'photo.jpg'), output], { env });
        const read = (picture: string) => readFile(join(output, picture));
        const json = async (picture: string) => JSON.parse((await read(picture)).toString('utf8'));
        for (const cutout of ['removebg.png', 'segment.png', 'rembg.png']) {
          const { format, width, height, hasAlpha } = await sharp(await read(cutout)).metadata();
          expect([cutout, format, width, height, hasAlpha]).toEqual([cutout, 'png', 320, 240, true]);
        }
        const { data } = await sharp(await read('color.jpg'))
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(
          Math.abs(data[0]! - 0x81) + Math.abs(data[1]! - 0xd4) + Math.abs(data[2]! - 0xfa),
        ).toBeLessThan(9);
        const { result_b64, foreground_width } = (await json('removebg.json')).data;
        expect((await sharp(Buffer.from(result_b64, 'base64')).metadata()).width).toBe(foreground_width);
        expect(Object.keys((await json('account.json')).data.attributes.credits)).toContain('total');
        expect((await json('error.json')).errors[0].title).toBe('No image given');
      },
    );
  }
});
