/**
 * `node scripts/docs/studio-screenshots.ts`: renders the start page's picture, builds the page, uses it with the
 * samples and the real model, and writes docs/images/studio-*.jpg. With the argument `list`, takes only the
 * screenshots of many photos and of the brush. Needs Chromium in CHROMIUM_PATH or /usr/bin.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { build } from 'vite';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { desktop, keep, key, openPage, phone, root, waitForPictures } from './screenshots/open-page.ts';
import { takeList } from './screenshots/take-list.ts';

const scenePrompt = 'sage green studio, stone disc, leaf shadow';

const dataDir = await mkdtemp(join(tmpdir(), 'packshot-screenshots-'));
const config = { DATA_DIR: dataDir, PORT: '0', BOOTSTRAP_API_KEY: key, LOG_LEVEL: 'warn' };
const onlyList = process.argv[2] === 'list';
try {
  if (!onlyList) await serve(drawHero);
  // Build first, because the service reads the files of the page when it starts.
  await build({ configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' });
  if (!onlyList) await serve(takeScreenshots);
  await serve((url) => browse((browser) => takeList(browser, url)), { REMOVAL_QUALITY: 'fast' });
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function serve(work: (url: string) => Promise<void>, settings = {}): Promise<void> {
  const app = await buildApp(loadConfig({ ...config, ...settings }));
  try {
    const url = await app.listen();
    await app.ready;
    await work(url);
  } finally {
    await app.close();
  }
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

function takeScreenshots(url: string): Promise<void> {
  return browse(async (browser) => {
    await takeDesktop(browser, url);
    await takeDark(browser, url);
    await takePhone(browser, url);
  });
}

async function browse(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

async function takeDesktop(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, url, desktop);
  await keep('studio-home', [await page.screenshot()]);
  await upload(page, 'chair-room.jpg');
  await keep('studio-cutout', [await page.screenshot()]);
  await page.getByRole('tab', { name: 'Backdrop' }).click();
  await page.getByRole('radio', { name: 'Sage', exact: true }).check();
  await page.getByRole('img', { name: 'chair-room on Sage' }).waitFor({ timeout: 60_000 });
  await waitForPictures(page, '.tile:visible');
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
  const page = await openPage(browser, url, { ...desktop, colorScheme: 'dark' });
  await upload(page, 'headphones-paper.jpg');
  await suggest(page);
  await page.locator('.scene').nth(1).click();
  await page.getByText(/^Preview;/).waitFor();
  await page.mouse.move(0, 0);
  await keep('studio-dark', [await page.screenshot()]);
  await page.context().close();
}

async function takePhone(browser: Browser, url: string): Promise<void> {
  const page = await openPage(browser, url, phone);
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
