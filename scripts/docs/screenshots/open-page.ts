/** Opens a page of the service in a browser, and takes screenshots of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
export const key = 'a-key-for-the-screenshots-only';
const images = join(root, 'docs/images');
/** Maximum bytes of a screenshot, to keep the checkout small. */
const mostBytes = 300_000;

export const desktop = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;
export const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 1.5,
} satisfies BrowserContextOptions;

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.addInitScript((secret) => localStorage.setItem('packshot.apiKey', secret), key);
  await page.goto(url);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

export async function waitForPictures(page: Page, places: string): Promise<void> {
  const all = page.locator(places);
  for (let index = 0; index < (await all.count()); index++) {
    await all.nth(index).locator('img').waitFor({ timeout: 300_000 });
  }
}

/** Writes screens side by side as one JPEG. Throws if the file is larger than `mostBytes`. */
export async function keep(name: string, screens: readonly Buffer[]): Promise<void> {
  const { width = 0, height = 0 } = await sharp(screens[0]).metadata();
  const gap = screens.length > 1 ? 40 : 0;
  const sheet = sharp({
    create: {
      width: screens.length * (width + gap) + gap,
      height: height + 2 * gap,
      channels: 3,
      background: '#d9dad7',
    },
  }).composite(screens.map((input, index) => ({ input, left: gap + index * (width + gap), top: gap })));
  const jpeg = await sheet.jpeg({ quality: 84, mozjpeg: true }).toBuffer();
  if (jpeg.length > mostBytes) throw new Error(`${name}.jpg has ${jpeg.length} bytes`);
  await writeFile(join(images, `${name}.jpg`), jpeg);
  console.log(`wrote docs/images/${name}.jpg, ${Math.round(jpeg.length / 1000)} kB`);
}
