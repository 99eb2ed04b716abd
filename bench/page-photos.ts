/**
 * `node bench/page-photos.ts [photos]`: measures whether the Studio page stays responsive while its grid of
 * photos fills. Adds 20 small photos to the page in Chromium, and then 200 or the given number to a new page, and
 * scrolls through the list meanwhile. Prints the long tasks of the page's main thread and the longest time between two
 * frames.
 * Needs Chromium in CHROMIUM_PATH or /usr/bin.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';

const key = 'a-key-for-the-measurement-only';
const many = Number(process.argv[2] ?? 200);
const few = 20;

const dataDir = await mkdtemp(join(tmpdir(), 'packshot-page-photos-'));
const app = await buildApp(
  loadConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: 'silent',
    REMOVAL_ENGINE: 'keyer',
    RATE_PER_SECOND: '1000',
    RATE_BURST: '1000',
  }),
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const url = await app.listen();
  await app.ready;
  for (const photos of [few, many]) console.log(describe(photos, await fillGrid(browser, url, photos)));
} finally {
  await browser.close();
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}

interface Smoothness {
  readonly seconds: number;
  /** Tasks of more than 50 ms, in ms (W3C Long Tasks). */
  readonly tasks: readonly number[];
  readonly longestFrameMs: number;
}

async function fillGrid(by: Browser, url: string, photos: number): Promise<Smoothness> {
  const context = await by.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript((secret) => localStorage.setItem('packshot.apiKey', secret), key);
  await page.goto(url);
  await page.locator('input[type=file][multiple]').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const files = await Promise.all(Array.from({ length: photos }, (_, index) => drawPhoto(index)));
  await watch(page);
  const startedAt = performance.now();
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await page.getByRole('heading', { name: `${photos} photos` }).waitFor();
  const filled = page.getByText(`Done ${photos}`).waitFor({ timeout: 1_500_000 });
  let isFull = false;
  void filled.then(() => {
    isFull = true;
  });
  await page.mouse.move(500, 500);
  for (let turn = 0; !isFull; turn++) {
    await page.mouse.wheel(0, turn % 40 < 20 ? 300 : -300);
    await page.waitForTimeout(100);
  }
  await filled;
  const seconds = (performance.now() - startedAt) / 1000;
  const { tasks, longestFrameMs } = (await page.evaluate('smoothness')) as Smoothness;
  await context.close();
  return { seconds, tasks, longestFrameMs };
}

/** The browser's script is a string, because the types of this project are those of Node, without browser functions. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    globalThis.smoothness = { tasks: [], longestFrameMs: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) smoothness.tasks.push(duration);
    }).observe({ type: 'longtask' });
    let last = performance.now();
    const step = (now) => {
      smoothness.longestFrameMs = Math.max(smoothness.longestFrameMs, now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })()`);
}

/** A colored box on a light wall. The first 360 photos all differ. */
async function drawPhoto(index: number) {
  const box = await sharp({
    create: {
      width: 80 + (index % 60),
      height: 100,
      channels: 3,
      background: `hsl(${(index * 37) % 360}, 70%, 40%)`,
    },
  })
    .png()
    .toBuffer();
  const buffer = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#e9e7e2' } })
    .composite([{ input: box, left: 100 - (index % 20), top: 70 }])
    .jpeg({ quality: 92 })
    .toBuffer();
  return { name: `SKU-${1000 + index}.jpg`, mimeType: 'image/jpeg', buffer };
}

function describe(photos: number, { seconds, tasks, longestFrameMs }: Smoothness): string {
  const total = tasks.reduce((sum, ms) => sum + ms, 0);
  const share = ((total / seconds / 1000) * 100).toFixed(1);
  return `${photos} photos in ${seconds.toFixed(0)} s: ${tasks.length} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...tasks))} ms, ${share} % of the time; longest frame ${Math.round(longestFrameMs)} ms`;
}
