/** Helpers for tests of the list of photos: they make photos, and act in the list as a person would. */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { type OpenPage, openPage } from './browser.ts';

export interface PhotoFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/**
 * Two colored boxes on a light wall; their colors and widths depend on `index`. All colors are stored at full resolution,
 * because at this size, the colors of 4:2:0 leave specks in the corners.
 */
async function boxPhoto(index: number): Promise<Buffer> {
  const box = (width: number, height: number, hue: number) =>
    sharp({ create: { width, height, channels: 3, background: `hsl(${hue % 360}, 70%, 40%)` } })
      .png()
      .toBuffer();
  const width = 90 + ((index * 13) % 70);
  return sharp({ create: { width: 320, height: 240, channels: 3, background: '#e9e7e2' } })
    .composite([
      { input: await box(width, 110, index * 37), left: 100, top: 70 },
      { input: await box(width - 20, 20, index * 37 + 90), left: 110, top: 60 },
    ])
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

export async function makePhotos(jpegs: number, heics: number): Promise<PhotoFile[]> {
  const crate = await readFile(new URL('../fixtures/heic/crate.heic', import.meta.url));
  const files: PhotoFile[] = [];
  for (let index = 0; index < jpegs; index++) {
    const buffer = await boxPhoto(index);
    files.push({ name: `SKU-${100 + index}.jpg`, mimeType: 'image/jpeg', buffer });
  }
  for (let index = 0; index < heics; index++) {
    files.push({ name: `IMG_${2000 + index}.HEIC`, mimeType: '', buffer: crate });
  }
  return files;
}

export const addPhotos = (page: Page, files: readonly PhotoFile[]) =>
  page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([...files]);

export const allCutOut = (page: Page) =>
  page.getByText(/ to go/).waitFor({ state: 'detached', timeout: 120_000 });

/** Opens the page with these photos, all cut out. */
export async function openList(
  browser: Browser,
  url: string,
  device: BrowserContextOptions,
  files: readonly PhotoFile[],
): Promise<OpenPage> {
  const opened = await openPage(browser, url, device);
  await addPhotos(opened.page, files);
  await allCutOut(opened.page);
  return opened;
}

/** In the open photo, erases the lower left corner of the box with one stroke. */
export async function eraseCorner(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Correct the cutout' }).click();
  await page.getByRole('radio', { name: 'Erase' }).waitFor();
  const { x, y, width, height } = (await page.locator('.paint').boundingBox())!;
  await page.mouse.move(x + width * 0.32, y + height * 0.75);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.45, y + height * 0.75, { steps: 8 });
  await page.mouse.up();
  await page.getByText('1 to apply').waitFor();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('Paint roughly').waitFor();
}

/** The id of the design that is open. */
export const openDesign = (page: Page): string => new URL(page.url()).hash.split('/').at(-1) ?? '';

export const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
