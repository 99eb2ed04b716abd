/**
 * `node scripts/docs/studio-screenshots.ts`: renders the start page's picture, builds the page, runs both
 * flows with the samples and the real model, and writes docs/images/studio-*.jpg. Needs Chromium in
 * CHROMIUM_PATH or /usr/bin.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { build } from 'vite';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const images = join(root, 'docs/images');
const key = 'a-key-for-the-screenshots-only';
/** A limit, to keep the checkout small. */
const mostBytes = 300_000;

const scenePrompt = 'sage green studio, stone disc, leaf shadow';

const dataDir = await mkdtemp(join(tmpdir(), 'packshot-screenshots-'));
const config = { DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_API_KEY: key, LOG_LEVEL: 'warn' };
let app = await buildApp(loadConfig(config));
try {
  const url = await app.listen();
  await app.ready;
  await drawHero(url);
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  // The files of the page are read at startup.
  await app.close();
  app = await buildApp(loadConfig(config));
  await takeScreenshots(await app.listen());
} finally {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}

/** The picture beside the drop zone of the start page: a sample, and a scene for it. */
async function drawHero(baseUrl: string): Promise<void> {
  const client = createPackshotClient({ baseUrl, apiKey: key });
  const photo = await readFile(join(root, 'samples/headphones-paper.jpg'));
  const { id } = await client.upload(new Uint8Array(photo), { name: 'headphones.jpg' });
  const { suggestedRecipeLists } = await client.suggest({
    id,
    recipePreset: 'AI_STUDIO',
    prompt: scenePrompt,
    filters: { aspectRatio: '4:5' },
  });
  const { recipeId, variant, mutations } = suggestedRecipeLists[0]!.recipes[1]!;
  const made = await client.generate({ id, recipeId, variant, mutations }, { format: 'png' });
  await mkdir(join(root, 'web/hero'), { recursive: true });
  await sharp(Buffer.from(await made.arrayBuffer()))
    .resize({ width: 1200 })
    .webp({ quality: 82, effort: 6 })
    .toFile(join(root, 'web/hero/made.webp'));
  await sharp(photo).resize({ width: 480 }).webp({ quality: 80 }).toFile(join(root, 'web/hero/photo.webp'));
}

async function takeScreenshots(url: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    await takeDesktop(browser, url);
    await takeDark(browser, url);
    await takePhone(browser, url);
  } finally {
    await browser.close();
  }
}

async function takeDesktop(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, url, { viewport: { width: 1440, height: 900 } });
  await keep('studio-home', [await page.screenshot()]);
  await upload(page, 'chair-room.jpg');
  await keep('studio-cutout', [await page.screenshot()]);
  await page.getByRole('tab', { name: 'Backdrop' }).click();
  await page.getByRole('radio', { name: 'Warm sand' }).check();
  await page.getByRole('img', { name: 'chair-room on Warm sand' }).waitFor({ timeout: 60_000 });
  await waitForPictures(page, '.tile');
  await page.evaluate('scrollTo(0, 0)');
  await keep('studio-backdrop', [await page.screenshot()]);
  await page.goto(url);
  await upload(page, 'headphones-paper.jpg');
  await suggest(page);
  await page.mouse.move(0, 0);
  await keep('studio-desktop', [await page.screenshot()]);
  await page.context().close();
}

async function takeDark(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, url, {
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
  });
  await upload(page, 'headphones-paper.jpg');
  await suggest(page);
  await page.locator('.scene').nth(1).click();
  await page.getByText(/^Preview;/).waitFor();
  await page.mouse.move(0, 0);
  await keep('studio-dark', [await page.screenshot()]);
  await page.context().close();
}

async function takePhone(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, url, {
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 1.5,
  });
  const screens = [await page.screenshot()];
  await upload(page, 'mug-clutter.jpg');
  screens.push(await page.screenshot());
  await page.getByRole('tab', { name: 'Backdrop' }).click();
  await page.getByRole('radio', { name: 'Blush', exact: true }).check();
  await page.getByRole('img', { name: 'mug-clutter on Blush' }).waitFor({ timeout: 60_000 });
  await page.evaluate('scrollTo(0, 397)');
  screens.push(await page.screenshot());
  await keep('studio-phone', screens);
  await page.context().close();
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.addInitScript((secret) => localStorage.setItem('packshot.apiKey', secret), key);
  await page.goto(url);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

async function upload(page: Page, sample: string): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(join(root, 'samples', sample));
  await page.getByRole('tab', { name: 'Cutout' }).waitFor({ timeout: 120_000 });
  await page.waitForLoadState('networkidle');
}

async function suggest(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Scenes' }).click();
  await page.getByLabel('What do you have in mind?').fill(scenePrompt);
  await page.getByRole('button', { name: 'Suggest scenes' }).click();
  await page.locator('.scene').first().waitFor({ timeout: 120_000 });
  await waitForPictures(page, '.scene');
}

async function waitForPictures(page: Page, places: string): Promise<void> {
  const all = page.locator(places);
  for (let index = 0; index < (await all.count()); index++) {
    await all.nth(index).locator('img').waitFor({ timeout: 300_000 });
  }
}

/** Screens side by side, in the smallest file that looks good. */
async function keep(name: string, screens: readonly Buffer[]): Promise<void> {
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
