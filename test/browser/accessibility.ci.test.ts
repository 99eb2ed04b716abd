/**
 * The page is accessible: the checker axe finds no serious violation in any state, light or dark, and a plain backdrop
 * can be made with the keyboard alone.
 */
import { describe, expect, it } from 'vitest';
import { emptyPhoto } from '../acceptance/service.ts';
import {
  chromiumPath,
  desktop,
  drawOnly,
  dropPhoto,
  expectAccessible,
  isFirst,
  needsChromium,
  openPage,
  phone,
  waitForCutout,
} from './browser.ts';
import { useStudio } from './studio.ts';

describe.skipIf(!chromiumPath)(`the Studio page for everyone${needsChromium}`, () => {
  const studio = useStudio();

  const dark = ['dark on a phone', { ...phone, colorScheme: 'dark' }] as const;
  const light = ['light on a desktop', { ...desktop, colorScheme: 'light' }] as const;
  // Scenes are drawn for each screen; outside CI, one screen is enough.
  const screens = process.env.CI ? [light, dark] : [dark];
  it.each(screens)('has no serious axe violations in any state, %s', async (_, device) => {
    const { page, close } = await openPage(studio.browser, studio.service.url, { ...device, key: null });
    await expectAccessible(page, 'empty');
    await page.getByRole('button', { name: 'Enter key' }).click();
    await expectAccessible(page, 'key dialog');
    await page.getByRole('textbox', { name: 'API key' }).fill(studio.service.key);
    await page.keyboard.press('Enter');

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/image-upload', async (route) => {
      await held;
      await route.continue();
    });
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await page.getByText(/^Uploading/).waitFor();
    await expectAccessible(page, 'uploading');
    release();
    await waitForCutout(page);
    await expectAccessible(page, 'cutout');

    await page.getByRole('tab', { name: 'Backdrop' }).click();
    await page.getByRole('img', { name: 'crate on White' }).waitFor();
    await page.getByText('Adjust').click();
    await expectAccessible(page, 'backdrop');

    await page.getByRole('tab', { name: 'Scenes' }).click();
    await page.getByLabel('What do you have in mind?').fill('blorb, office desk with laptop');
    await page.getByText('More sets, light and colors').click();
    await page.getByRole('button', { name: 'marble counter' }).click();
    await expectAccessible(page, 'no scenes');
    await drawOnly(page, isFirst(1));
    await page.getByRole('button', { name: 'Suggest scenes' }).click();
    await page.locator('.scene').first().waitFor({ timeout: 60_000 });
    await expectAccessible(page, 'scenes filling in');
    await page.locator('.scene img').first().waitFor({ timeout: 90_000 });
    await page.locator('.scene').first().click();
    await page.getByRole('button', { name: 'All scenes' }).waitFor();
    await expectAccessible(page, 'scene open');

    await page.getByRole('button', { name: 'Back to start' }).click();
    await page.getByText('Your projects').waitFor();
    await expectAccessible(page, 'projects');
    await dropPhoto(page, await emptyPhoto(), 'nothing.jpg');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page, 'failure');
    await close();
  });

  it('can be used with the keyboard alone, from choosing a photo to downloading a file', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    const focused = (): Promise<string> =>
      page.evaluate(`(() => {
        const { activeElement: element } = document;
        const label = element.closest('label')?.innerText ?? '';
        const name = element.getAttribute('aria-label') ?? (element.innerText || label);
        return (element.getAttribute('role') ?? element.tagName) + ' ' + name.trim();
      })()`);
    /** Presses Tab until the focus is on the requested element. */
    const tabTo = async (what: RegExp): Promise<void> => {
      for (let step = 0; step < 60; step++) {
        if (what.test(await focused())) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${what} is not reached with Tab`);
    };

    // Start to wait before the focus reaches the button, because it takes some time after this call until the browser
    // reports file choosers.
    const chooser = page.waitForEvent('filechooser', { timeout: 120_000 });
    await tabTo(/^INPUT .*Choose photos/);
    await page.keyboard.press('Space');
    await (await chooser).setFiles({ name: 'crate.jpg', mimeType: 'image/jpeg', buffer: studio.photo });
    await waitForCutout(page);
    expect(await focused()).toBe('H1 crate');

    await tabTo(/^group Photo and cutout/);
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('button', { name: 'Fit' }).innerText()).toMatch(/^\d+ %$/);
    await page.keyboard.press('0');
    expect(await page.getByRole('button', { name: 'Fit' }).innerText()).toBe('Fit');

    await tabTo(/slider/);
    const slider = page.getByRole('slider', { name: 'Where photo and cutout meet' });
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuenow')).toBe('100');

    await page.getByRole('tab', { name: 'Cutout' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('tab Backdrop');
    await tabTo(/^INPUT White$/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: /^crate on (?!White$)/ }).waitFor();

    await page.keyboard.press('Shift+Tab');
    await page.getByRole('button', { name: 'Download' }).focus();
    const saved = page.waitForEvent('download', { timeout: 60_000 });
    await page.keyboard.press('Enter');
    expect((await saved).suggestedFilename()).toMatch(/^crate-[\w-]+\.jpeg$/);
    await close();
  });
});
