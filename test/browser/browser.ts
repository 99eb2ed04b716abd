/** Chromium for a test file, on the page of its own service. */
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { testKey } from '../acceptance/service.ts';

/** Undefined if there is no browser: the tests are then skipped, and their names say why. */
export const chromiumPath = findChromium();
export const needsChromium = chromiumPath ? '' : ' (skipped: no Chromium in PATH or CHROMIUM_PATH)';

function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...(process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : []),
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      // The file is missing or not executable.
      return false;
    }
  });
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    // Tests run as root in containers, where Chromium's sandbox does not start.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
}

export const desktop = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;
export const phone = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
} satisfies BrowserContextOptions;

export interface OpenPage {
  readonly page: Page;
  /** Errors on the browser's console, except those about responses that a test has made fail. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** `key` is stored in the browser, as after an earlier visit, unless it is null. */
export async function openPage(
  browser: Browser,
  url: string,
  { key = testKey, ...options }: BrowserContextOptions & { key?: string | null } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options });
  const page = await context.newPage();
  // A generous timeout, reached only on failure: a busy machine may take long to draw a page.
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('console', (message) => {
    const failedAnswer = /^Failed to load resource: the server responded|ERR_INTERNET|ERR_FAILED/;
    if (message.type() === 'error' && !failedAnswer.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript((remembered) => {
    if (remembered && !localStorage.getItem('packshot.apiKey')) {
      localStorage.setItem('packshot.apiKey', remembered);
    }
  }, key);
  // The 18 pictures in the list of backdrops are not drawn, because they would take the service four seconds of CPU.
  await drawOnly(page, (recipeId) => !/^(Gradient|Surface)/.test(recipeId));
  await page.goto(url);
  await page.locator('h1').waitFor();
  return { page, errors, close: () => context.close() };
}

/**
 * Collects every message of the status bar from now on, however briefly it is shown; the returned function returns the
 * messages.
 */
export async function followBar(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(`(() => {
    globalThis.barSaid = '';
    new MutationObserver(() => {
      barSaid += document.querySelector('.notice.bar')?.innerText ?? '';
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  })()`);
  return () => page.evaluate('barSaid');
}

/** Simulates a drop by the user: the file arrives in a DataTransfer. */
export async function dropPhoto(page: Page, photo: Buffer, name: string): Promise<void> {
  // Scripts for the page are text, because the project's types are Node's, which have no `document`.
  const transfer = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob('${photo.toString('base64')}'), (character) => character.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], ${JSON.stringify(name)}, { type: 'image/jpeg' }));
    return data;
  })()`);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('.drop', type, { dataTransfer: transfer });
  }
}

/** Waits for the tabs, which appear once the cutout is made. */
export async function waitForCutout(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Cutout' }).waitFor({ timeout: 60_000 });
}

const tinyPicture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#999' } })
  .webp()
  .toBuffer();

/**
 * From now on, the service draws only those previews for which `isDrawn` returns true. The page's requests for all
 * other previews get a gray picture at once.
 */
export async function drawOnly(page: Page, isDrawn: (recipeId: string) => boolean): Promise<void> {
  await page.route('**/v1/design/preview.webp', (route) =>
    isDrawn(route.request().postDataJSON().recipeId)
      ? route.continue()
      : route.fulfill({ contentType: 'image/webp', body: tinyPicture }),
  );
}

/**
 * For `drawOnly` in tests of scenes: selects the first `count` previews. The page requests a preview of each scene, but
 * the tests open only a few scenes.
 */
export function isFirst(count: number): () => boolean {
  let left = count;
  return () => left-- > 0;
}

/** Clicks the visible download button and reads what the browser saves. */
export async function download(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download', { timeout: 90_000 }),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no serious or critical violation of axe's rules for WCAG 2.2 AA and best practices. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // Run axe through the browser's debugging protocol, because the page's own policy allows no foreign script.
  await page.evaluate(axeSource);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  };
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  expect(grave, state).toEqual([]);
}
