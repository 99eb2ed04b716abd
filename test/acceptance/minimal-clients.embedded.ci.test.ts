/**
 * Clients written with the most common tools. They use only the five calls of the removal and design flows, which do
 * not change within `/v1` (docs/migrating.md).
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientPrograms } from './client-programs.ts';
import { cratePhoto, type Service, startService } from './service.ts';

const run = promisify(execFile);
let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'packshot-clients-'));
  await writeFile(join(folder, 'photo.jpg'), await cratePhoto({ width: 640, height: 480 }));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const names = ['curl', 'Python', 'Node'];
const clients = clientPrograms.filter(({ name }) => names.includes(name));

describe('a minimal client', () => {
  for (const { name, program, file, isHere } of clients) {
    // Each client needs the interpreter of its language.
    it.skipIf(!isHere)(`in ${name} gets a suggested scene and a picture on white`, async () => {
      const output = await mkdtemp(join(folder, 'output-'));
      const path = new URL(`minimal-clients/${file}`, import.meta.url).pathname;
      const env = { ...process.env, BASE_URL: service.url, API_KEY: service.key };
      await run(program, [path, join(folder, 'photo.jpg'), output], { env });
      const read = (picture: string) => sharp(join(output, picture));
      for (const [preview, full] of [
        ['preview.webp', 'full.jpeg'],
        ['white-preview.webp', 'white.jpeg'],
      ] as const) {
        expect(await read(preview).metadata()).toMatchObject({ format: 'webp', width: 640, height: 640 });
        expect(await read(full).metadata()).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
      }
      const { data } = await read('white.jpeg').raw().toBuffer({ resolveWithObject: true });
      expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
    });
  }
});
