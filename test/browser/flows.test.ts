/**
 * The Studio page's two flows (a plain backdrop, and a scene), from a dropped photo to a downloaded file, on a desktop
 * and on a phone; and further features of the page.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import {
  chromiumPath,
  desktop,
  download,
  drawOnly,
  dropPhoto,
  isFirst,
  needsChromium,
  openPage,
  phone,
  waitForCutout,
} from './browser.ts';
import { useStudio } from './studio.ts';

const run = promisify(execFile);
/** Outside CI, only the desktop, because each flow makes a cutout and pictures. */
const devices = [['desktop', desktop] as const, ['phone', phone] as const].slice(0, process.env.CI ? 2 : 1);

describe.skipIf(!chromiumPath)(`the Studio page${needsChromium}`, () => {
  const studio = useStudio();

  describe.each(devices)('on a %s', (_, device) => {
    it('cuts the product out of a dropped photo, and downloads the cutout and the product on a plain color', async () => {
      const { page, errors, close } = await openPage(studio.browser, studio.service.url, device);
      await dropPhoto(page, studio.photo, 'Red crate.jpg');
      await waitForCutout(page);
      const cutout = await download(page);
      expect(cutout.name).toBe('Red crate-cutout.png');
      expect(await sharp(cutout.bytes).metadata()).toMatchObject({ width: 320, height: 240, hasAlpha: true });

      await page.getByRole('tab', { name: 'Backdrop' }).click();
      await page.getByRole('radio', { name: 'Sage', exact: true }).check();
      await page.getByRole('img', { name: 'Red crate on Sage' }).waitFor();
      const full = await download(page);
      expect(full.name).toBe('Red crate-sage.jpeg');
      expect(await sharp(full.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
      const corner = await sharp(full.bytes)
        .extract({ left: 5, top: 5, width: 1, height: 1 })
        .raw()
        .toBuffer();
      expect([...corner]).toEqual([0xb7, 0xc5, 0xac]);
      expect(errors).toEqual([]);
      await close();
    });

    it('suggests scenes, loads their previews and downloads one in another format', async () => {
      const { page, errors, close } = await openPage(studio.browser, studio.service.url, device);
      await dropPhoto(page, studio.photo, 'crate.jpg');
      await waitForCutout(page);
      await page.getByRole('tab', { name: 'Scenes' }).click();
      await page.getByLabel('What do you have in mind?').fill('white marble podium');
      await page.getByRole('radio', { name: '4:5' }).last().check();
      await drawOnly(page, isFirst(2));
      await page.getByRole('button', { name: 'Suggest scenes' }).click();
      const scene = page.locator('.scene').first();
      await scene.locator('img').waitFor({ timeout: 90_000 });
      const title = (await scene.getAttribute('aria-label')) ?? '';
      await scene.click();
      await page.getByRole('img', { name: title }).waitFor();
      await page.getByRole('radio', { name: 'WebP' }).last().check();
      const full = await download(page);
      expect(full.name).toMatch(/^crate-[\w-]+\.webp$/);
      expect(await sharp(full.bytes).metadata()).toMatchObject({
        format: 'webp',
        width: 1600,
        height: 2000,
      });
      expect(errors).toEqual([]);
      await close();
    });

    it('builds a prompt from chips and reports the effect of its words', async () => {
      const { page, errors, close } = await openPage(studio.browser, studio.service.url, device);
      await dropPhoto(page, studio.photo, 'crate.jpg');
      await waitForCutout(page);
      await page.getByRole('tab', { name: 'Scenes' }).click();
      const prompt = page.getByLabel('What do you have in mind?');
      await prompt.fill('castle with laptop');
      const podium = page.getByRole('button', { name: 'marble podium' });
      await podium.click();
      await page.getByRole('button', { name: 'arch', exact: true }).click();
      expect(await prompt.inputValue()).toBe('castle with laptop, marble podium, arch');
      expect(await podium.getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('button', { name: 'arch', exact: true }).click();
      expect(await prompt.inputValue()).toBe('castle with laptop, marble podium');
      await page.getByLabel('Kind of product').selectOption('Toys & Games');
      await drawOnly(page, isFirst(0));
      const asked = page.waitForRequest('**/v1/design/suggest');
      await page.getByRole('button', { name: 'Suggest scenes' }).click();
      expect((await asked).postDataJSON()).toMatchObject({ productKind: 'Toys & Games' });
      const report = page.getByRole('region', { name: 'Your words in these scenes' });
      await report.getByText('No set can show: laptop.').waitFor();
      await report.getByText('Not understood: castle.').waitFor();
      const lines = await report.getByRole('listitem').allInnerTexts();
      expect(lines.join()).toMatch(/marble.*marble stand/s);
      expect(errors).toEqual([]);
      await close();
    });

    // Outside CI, only the narrowest window is tried, below.
    it.skipIf(!process.env.CI)('never scrolls sideways', async () => {
      const { page, close } = await openPage(studio.browser, studio.service.url, device);
      const overhang = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(await overhang()).toBeLessThanOrEqual(0);
      await dropPhoto(page, studio.photo, `${'a-very-long-name-'.repeat(8)}.jpg`);
      await waitForCutout(page);
      for (const tab of ['Cutout', 'Backdrop', 'Scenes']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await overhang(), tab).toBeLessThanOrEqual(0);
      }
      await close();
    });
  });

  it('speaks the language of the browser', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, {
      ...desktop,
      locale: 'de-AT',
    });
    await page.getByRole('heading', { name: 'Vom Foto zum Packshot.' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await dropPhoto(page, studio.photo, 'Kiste.jpg');
    await page.getByRole('tab', { name: 'Hintergrund' }).click({ timeout: 60_000 });
    await page.getByRole('radio', { name: 'Eigene Farbe' }).check();
    await page.getByLabel('Die Farbe als Code').fill('0b3d2e');
    await page.getByLabel('Die Farbe als Code').press('Enter');
    await page.getByRole('img', { name: 'Kiste auf #0b3d2e' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Herunterladen' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^Kiste-.*\.jpeg$/);
    expect(errors).toEqual([]);
    await close();
  });

  it('fits a window of 320 pixels, with every chip shown', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, {
      viewport: { width: 320, height: 700 },
    });
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBeLessThanOrEqual(320);
    await dropPhoto(page, studio.photo, `${'a-very-long-name-'.repeat(8)}.jpg`);
    await waitForCutout(page);
    for (const tab of ['Cutout', 'Backdrop', 'Scenes']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await width(), tab).toBeLessThanOrEqual(320);
    }
    await page.getByText('More sets, light and colors').click();
    expect(await width()).toBeLessThanOrEqual(320);
    await close();
  });

  it('copies the API call that makes a picture, without the key', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, {
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await dropPhoto(page, studio.photo, "it's a crate.jpg");
    await waitForCutout(page);
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    const read = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await page.locator('summary:visible', { hasText: 'For developers' }).click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const curl = await read();
    expect(curl).toContain('-H "X-Api-Key: $KEY"');
    expect(curl).toContain(`${studio.service.url}/v1/design/generated.jpeg`);
    expect(curl).not.toContain(studio.service.key);
    const folder = await mkdtemp(join(tmpdir(), 'packshot-copied-'));
    await run('sh', ['-c', curl], { cwd: folder, env: { ...process.env, KEY: studio.service.key } });
    expect(await readdir(folder)).toEqual(['it-s a crate-white.jpeg']);
    await rm(folder, { recursive: true });
    await page.getByRole('button', { name: 'Copy as TypeScript' }).click();
    const script = await read();
    expect(script).toContain('recipeId: "Solid1_1_0035"');
    expect(script).not.toContain(studio.service.key);
    await close();
  });
});
