/** Looking through the photos of a list: forward and back, from doubt to doubt, and back to the list as it was left. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chromiumPath, desktop, expectAccessible, needsChromium, waitForCutout } from './browser.ts';
import { makePhotos, openList, type PhotoFile } from './many-photos.ts';
import { useStudio } from './studio.ts';

/** A box that the right edge of the photo cuts off, so that its cutout is doubtful. */
async function cutOff(name: string): Promise<PhotoFile> {
  const box = { create: { width: 200, height: 110, channels: 3, background: '#a04520' } } as const;
  const buffer = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#e9e7e2' } })
    .composite([{ input: await sharp(box).png().toBuffer(), left: 120, top: 70 }])
    .jpeg()
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

describe.skipIf(!chromiumPath)(`the way through a list of photos${needsChromium}`, () => {
  const studio = useStudio();
  const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  it('goes on by buttons and arrow keys, keeps the last picture until the next is there, and ends at the ends', async () => {
    const files = await makePhotos(3, 0);
    const { page, errors, close } = await openList(studio.browser, studio.service.url, desktop, files);
    await page.getByRole('button', { name: 'Open SKU-100' }).click();
    await page.getByText('1 of 3', { exact: true }).waitFor();
    await expectAccessible(page, 'photo of a list');
    const next = page.getByRole('button', { name: 'Next photo' });
    const previous = page.getByRole('button', { name: 'Previous photo' });
    expect(await previous.getAttribute('aria-disabled')).toBe('true');

    const drawn = Promise.withResolvers<void>();
    await page.route('**/cutout.png*', async (route) => {
      await drawn.promise;
      await route.continue();
    });
    await next.click();
    await page.getByText('2 of 3', { exact: true }).waitFor();
    // The last cutout is still on the page, under its own name.
    await page.locator('.work-head .travel').waitFor();
    expect(await page.locator('img[alt="The cutout"]').isVisible()).toBe(true);
    await title(page, 'SKU-100');
    drawn.resolve();
    await title(page, 'SKU-101');

    await page.keyboard.press('ArrowRight');
    await title(page, 'SKU-102');
    await page.keyboard.press('ArrowRight');
    await page.getByText('3 of 3', { exact: true }).waitFor();
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await title(page, 'SKU-101');

    // Keys that mean something else do not change the photo: of the divider, of tabs, of a choice, of the brush.
    await page.getByRole('slider', { name: 'Where photo and cutout meet' }).press('ArrowRight');
    await page.getByRole('radio', { name: 'White', exact: true }).first().press('ArrowRight');
    await page.getByRole('button', { name: 'Correct the cutout' }).click();
    await page.locator('.paint').press('ArrowRight');
    await page.getByRole('heading', { level: 1 }).press('ArrowRight');
    await page.getByRole('tab', { name: 'Cutout' }).press('ArrowRight');
    await page.getByRole('radio', { name: 'White', exact: true }).last().press('ArrowRight');
    await page.getByText('2 of 3', { exact: true }).waitFor();
    await title(page, 'SKU-101');
    // The tab stays, and shows the next photo.
    await next.click();
    await page.getByRole('img', { name: /^SKU-102 on / }).waitFor();
    await page.reload();
    await title(page, 'SKU-102');
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: '3 photos' }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('leads through the doubtful cutouts by “looks good”, until none is left', async () => {
    const [plain, other] = await makePhotos(2, 0);
    const doubtful = await Promise.all(['cut-1.jpg', 'cut-2.jpg', 'cut-3.jpg'].map(cutOff));
    const files = [doubtful[0]!, plain!, doubtful[1]!, other!, doubtful[2]!];
    const { page, errors, close } = await openList(studio.browser, studio.service.url, desktop, files);
    await page.getByText('Doubtful 3').waitFor();
    await page.getByRole('button', { name: 'Open SKU-100' }).click();
    await page.getByRole('button', { name: 'Next doubtful' }).click();
    await title(page, 'cut-1');
    await page.getByRole('button', { name: 'Looks good, 2 left' }).focus();
    for (const name of ['cut-2', 'cut-3']) {
      await page.keyboard.press('Enter');
      await title(page, name);
    }
    await page.keyboard.press('Enter');
    await page.getByText('No cutout is doubtful any more.').waitFor({ state: 'attached' });
    // The photo stays open, and the focus is not lost.
    await title(page, 'cut-3');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Previous photo');
    await page.getByRole('button', { name: 'Back to the photos' }).click();
    await page.getByText('Doubtful 0').waitFor();
    await page.getByText('Done 5').waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('comes back to the list as it was left: filter, selection, scroll and pictures', async () => {
    const window = { viewport: { width: 500, height: 500 } };
    const files = await makePhotos(10, 0);
    const { page, errors, close } = await openList(studio.browser, studio.service.url, window, files);
    await page.getByRole('radio', { name: /^Done/ }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Select SKU-100' }).check({ force: true });
    const tile = page.getByRole('button', { name: 'Open SKU-109' });
    await tile.scrollIntoViewIfNeeded();
    await tile.locator('img').waitFor();
    await expect.poll(() => page.locator('.photo .travel').count(), { timeout: 60_000 }).toBe(0);
    const scrolled = await page.evaluate('scrollY');
    expect(scrolled).toBeGreaterThan(300);
    await tile.click();
    await title(page, 'SKU-109');
    await waitForCutout(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Back to the photos' }).click();
    await tile.waitFor();
    // At once, without a call and without a wait.
    expect(await tile.locator('img').count()).toBe(1);
    expect(Math.abs(((await page.evaluate('scrollY')) as number) - (scrolled as number))).toBeLessThan(3);
    expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/^Open SKU-109/);
    await page.getByText('1 photo selected').waitFor();
    expect(await page.getByRole('radio', { name: /^Done/ }).isChecked()).toBe(true);
    expect(asked.filter((url) => /preview|cutout|photo/.test(url))).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
