/**
 * Takes the screenshots of a project of many photos, with one damaged file: the grid, the check, the ZIP, and
 * the correction brush.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { desktop, keep, openPage, phone, root } from './open-page.ts';

const samples = [
  ...['chair-room', 'wirebasket-tilewall', 'eyeglasses-paper', 'guitar-hard', 'headphones-paper'],
  ...['mug-clutter', 'mug-marbletop', 'mug-white', 'plush-paper', 'potplant-grass', 'waterbottle-hard'],
];
const look = 'Sage';
/** Its long shadow shows the brush well. */
const painted = 'guitar-hard';

export async function takeList(browser: Browser, url: string): Promise<void> {
  const page = await openList(browser, url, samples, desktop);
  await choose(page);
  await waitForTiles(page);
  await keep('studio-photos', [await page.screenshot()]);
  await checkAndMake(page);
  await paint(page);
  await keep('studio-correct', [await page.screenshot()]);
  await page.context().close();

  const small = await openList(browser, url, samples.slice(0, 5), phone);
  await small.getByRole('button', { name: /^Look: / }).click();
  await choose(small);
  await small.locator('.sheet .panel').evaluate('(panel) => panel.scrollTo(0, 0)');
  const sheet = await small.screenshot();
  await small.getByRole('button', { name: 'Show the photos' }).click();
  await waitForTiles(small);
  const list = await small.screenshot();
  await paint(small);
  await keep('studio-photos-phone', [list, sheet, await small.screenshot()]);
  await small.context().close();
}

async function openList(
  browser: Browser,
  url: string,
  names: readonly string[],
  options: BrowserContextOptions,
): Promise<Page> {
  const page = await openPage(browser, url, options);
  const files = names.map(async (name) => {
    const buffer = await readFile(join(root, 'samples', `${name}.jpg`));
    return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer };
  });
  const [first, ...others] = await Promise.all(files);
  // A file that is truncated, as after an interrupted copy.
  const damaged = { ...first!, name: 'lamp-desk.jpg', buffer: first!.buffer.subarray(0, 90_000) };
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([first!, ...others, damaged]);
  await page.getByRole('heading', { name: `${names.length + 1} photos` }).waitFor();
  await page.getByText(/ to go/).waitFor({ state: 'detached', timeout: 300_000 });
  return page;
}

async function choose(page: Page): Promise<void> {
  await page.getByRole('radio', { name: look, exact: true }).check();
  await page.getByRole('button', { name: `Open chair-room. ${look}` }).waitFor();
}

/** Waits for the tiles in the window; the others are drawn only when they are scrolled into view. */
async function waitForTiles(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await page.mouse.move(0, 0);
  await page.locator('.photo .travel').first().waitFor({ state: 'detached', timeout: 120_000 });
  await page.waitForLoadState('networkidle');
}

async function checkAndMake(page: Page): Promise<void> {
  const check = async () => {
    await page.getByRole('radio', { name: 'For marketplaces' }).check();
    await page.getByRole('button', { name: /^Check \d+ pictures/ }).click();
    await page.getByText(/ pass our checks/).waitFor();
    await page.getByRole('button', { name: /^Checking/ }).waitFor({ state: 'detached', timeout: 300_000 });
  };
  const amazon = { name: 'Amazon', exact: true };
  await page.getByRole('radio', { name: 'For marketplaces' }).check();
  await page.getByRole('group', { name: 'Check for marketplaces' }).getByRole('button', amazon).click();
  await check();
  await waitForTiles(page);
  await keep('forty-check', [await page.screenshot()]);
  await page.getByRole('button', { name: /^Fix \d+ pictures/ }).click();
  await waitForTiles(page);
  await check();
  for (const channel of ['Amazon', 'Shop 4:5'])
    await page.locator('.make-bar').getByRole('button', { name: channel, exact: true }).click();
  await page.getByRole('button', { name: /^Make \d+ pictures/ }).click();
  await page.getByRole('button', { name: /^Download ZIP/ }).waitFor({ timeout: 300_000 });
  await waitForTiles(page);
  await keep('forty-zip', [await page.screenshot()]);
}

/** Paints one stroke over the shadow without applying it. */
async function paint(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Open ${painted}.` }).click();
  await page.getByRole('button', { name: 'Correct the cutout' }).click();
  await page.locator('.pane-picture img[alt="Uploaded original"]').waitFor();
  const brush = page.locator('.paint');
  await brush.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await brush.boundingBox())!;
  const at = (across: number, down: number) => [x + width * across, y + height * down] as const;
  await page.mouse.move(...at(0.63, 0.89));
  await page.mouse.down();
  for (const step of [0.7, 0.78, 0.86, 0.94]) await page.mouse.move(...at(step, 0.89 - (step - 0.63) / 20));
  await page.mouse.up();
  await page.getByText('1 to apply').waitFor();
}
