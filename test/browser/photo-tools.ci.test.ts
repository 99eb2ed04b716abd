/**
 * Work on photos of a list: dropping a folder, showing HEIC photos, removing and restoring parts, and using one scene
 * for all photos.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import {
  chromiumPath,
  desktop,
  dropPhoto,
  expectAccessible,
  needsChromium,
  openPage,
  waitForCutout,
} from './browser.ts';
import { addPhotos, allCutOut, makePhotos, openDesign, openList } from './many-photos.ts';
import { useStudio } from './studio.ts';

/** Drops a folder like a file manager: as a path, without bytes. */
async function dropFolder(page: Page, folder: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
}

/** A box on the left and a small one on the right, on a light wall. */
async function twoParts(): Promise<Buffer> {
  const part = (side: number, background: string) =>
    sharp({ create: { width: side, height: side, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp({ create: { width: 320, height: 240, channels: 3, background: '#e9e7e2' } })
    .composite([
      { input: await part(110, '#225588'), left: 50, top: 70 },
      { input: await part(50, '#883322'), left: 230, top: 100 },
    ])
    .png()
    .toBuffer();
}

describe.skipIf(!chromiumPath)(`the Studio page with single photos of a list${needsChromium}`, () => {
  const studio = useStudio();

  const clickPhoto = async (page: Page, x: number, y: number): Promise<void> => {
    const box = (await page.locator('.paint').boundingBox())!;
    await Promise.all([
      page.waitForResponse(/\/correct$/),
      page.mouse.click(box.x + (box.width * x) / 320, box.y + (box.height * y) / 240),
    ]);
    // The page ignores further clicks until Undo is enabled.
    await page.locator('button[aria-disabled="false"]', { hasText: 'Undo' }).waitFor();
  };

  it('reads a folder with nested folders, and ignores files that are not photos', async () => {
    const folder = join(studio.service.dataDir, 'to-drop');
    await mkdir(join(folder, 'shoes'), { recursive: true });
    const [first, second, third] = await makePhotos(2, 1);
    await writeFile(join(folder, first!.name), first!.buffer);
    await writeFile(join(folder, 'shoes', second!.name), second!.buffer);
    await writeFile(join(folder, 'shoes', third!.name), third!.buffer);
    await writeFile(join(folder, 'prices.csv'), 'sku,price\n');
    await writeFile(join(folder, '.DS_Store'), 'x');
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropFolder(page, folder);
    await page.getByRole('heading', { name: 'to-drop' }).waitFor();
    await page.getByRole('heading', { name: '3 photos' }).waitFor();
    await allCutOut(page);
    await page.getByText('Done 3').waitFor();
    for (const name of ['SKU-100', 'SKU-101', 'IMG_2000']) {
      await page.getByRole('button', { name: `Open ${name}` }).waitFor();
    }
    expect(errors).toEqual([]);
    await close();
  });

  it('shows a HEIC photo, which Chromium cannot decode, beneath the brush', async () => {
    const { page, close } = await openList(
      studio.browser,
      studio.service.url,
      desktop,
      await makePhotos(1, 1),
    );
    await page.getByRole('button', { name: 'Open IMG_2000' }).click();
    await page.getByRole('button', { name: 'Correct the cutout' }).click();
    const photo = page.locator('.pane-picture img[alt="Uploaded original"]');
    await photo.waitFor();
    const width = `document.querySelector('.pane-picture img[alt="Uploaded original"]').naturalWidth`;
    await expect.poll(() => page.evaluate(width)).toBe(320);
    // On the next visit, no request is sent for the photo.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.getByRole('slider', { name: 'Where photo and cutout meet' }).waitFor();
    expect(asked.filter((url) => url.includes('photo.jpeg'))).toEqual([]);
    await close();
  });

  it('shows a HEIC photo in the grid before its cutout is there', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    const cutouts = Promise.withResolvers<void>();
    let asked = 0;
    await page.route(/\/v1\/design\/[^/]+\?wait/, async (route) => {
      asked++;
      await cutouts.promise;
      await route.continue();
    });
    await addPhotos(page, await makePhotos(1, 1));
    const shown = page.locator('.photo', { hasText: 'IMG_2000' }).locator('img.photo-original');
    await shown.waitFor();
    expect(await shown.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBe(320);
    await expect.poll(() => asked).toBeGreaterThan(0);
    cutouts.resolve();
    await allCutOut(page);
    await page.getByText('Done 2').waitFor();
    await close();
  });

  it('removes a part of a cutout with a click, and restores it', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    const buffer = await twoParts();
    const [other] = await makePhotos(1, 0);
    await addPhotos(page, [{ name: 'pair.png', mimeType: 'image/png', buffer }, other!]);
    await allCutOut(page);
    await page.getByRole('button', { name: 'Open pair' }).click();
    await page.getByRole('button', { name: 'Correct the cutout' }).click();
    const area = async (): Promise<number> => {
      const answer = await studio.service.call(`/v1/design/${openDesign(page)}`);
      const { subject } = (await answer.json()) as { subject: { boundingBox: { width: number } } };
      return subject.boundingBox.width;
    };
    await page.getByRole('radio', { name: 'Part' }).check();
    await page.getByText('Click a part to remove it.').waitFor();
    await expectAccessible(page, 'parts');
    expect(await area()).toBeGreaterThan(200);
    await clickPhoto(page, 255, 125);
    await expect.poll(area).toBeLessThan(130);
    await clickPhoto(page, 255, 125);
    await page.getByText('There is no part of the cutout here.').first().waitFor();
    await clickPhoto(page, 100, 125);
    await page.getByText('This would remove the whole product').first().waitFor();
    await page.getByRole('radio', { name: 'Keep' }).check();
    await clickPhoto(page, 255, 125);
    await expect.poll(area).toBeGreaterThan(200);
    // By keyboard: a box from the middle of the photo to the right of the small part.
    await page.getByRole('radio', { name: 'Erase' }).check();
    await page.getByRole('radio', { name: 'Box' }).check();
    await page.locator('.paint').focus();
    await page.mouse.move(0, 0);
    for (let n = 0; n < 25; n++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    for (let n = 0; n < 45; n++) await page.keyboard.press('ArrowRight');
    for (let n = 0; n < 40; n++) await page.keyboard.press('ArrowDown');
    await expectAccessible(page, 'box');
    await Promise.all([page.waitForResponse(/\/correct$/), page.keyboard.press('Space')]);
    await expect.poll(area).toBeLessThan(130);
    await page.locator('input[type=file]:enabled').waitFor({ state: 'attached' });
    await page.getByLabel('Use a mask file').setInputFiles({
      name: 'mask.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 160, height: 120, channels: 3, background: '#ffffff' } })
        .png()
        .toBuffer(),
    });
    await expect.poll(area).toBe(320);
    await close();
  });

  it('saves a suggested scene as a look for all photos, and for the selected ones', async () => {
    const { page, close } = await openList(
      studio.browser,
      studio.service.url,
      desktop,
      await makePhotos(3, 0),
    );
    await page.getByRole('button', { name: 'Open SKU-100' }).click();
    await page.getByRole('tab', { name: 'Scenes' }).click();
    await page.getByRole('button', { name: /^Suggest scenes/ }).click();
    const scene = page.locator('button.scene').first();
    await scene.waitFor();
    const title = (await scene.locator('.scene-title').textContent())!;
    await scene.click();
    await page.getByRole('button', { name: 'Use for all photos' }).click();
    await page.getByRole('heading', { name: '3 photos' }).waitFor();
    for (const sku of ['SKU-100', 'SKU-101', 'SKU-102']) {
      await page.getByRole('button', { name: `Open ${sku}. ${title}`, exact: true }).waitFor();
    }
    expect(await (await studio.service.call('/v1/looks')).json()).toMatchObject({ looks: [{ title }] });
    // Every picture in the grid is drawn in the look.
    await expect.poll(() => page.locator('.photo-picture img').count(), { timeout: 240_000 }).toBe(3);
    await page.getByRole('radio', { name: 'For my shop' }).check();
    await page.getByRole('radio', { name: 'Sage', exact: true }).check();
    await page.getByRole('button', { name: 'Open SKU-101. Sage' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select SKU-102' }).check({ force: true });
    await page.getByRole('radio', { name: 'In a scene' }).check();
    await page.getByRole('radio', { name: title, exact: true }).first().check({ force: true });
    await page.getByRole('button', { name: `Open SKU-102. ${title}`, exact: true }).waitFor();
    await page.getByRole('button', { name: 'Open SKU-101. Sage' }).waitFor();
    await close();
  }, 400_000);

  it('shows how much the product fills, 90 % of three backdrops at a margin of 5 %, fixes a margin that Amazon refuses, and follows hands', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await waitForCutout(page);
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    await page.getByText('Adjust').click();
    const client = createPackshotClient({ baseUrl: studio.service.url, apiKey: studio.service.key });
    for (const [purpose, backdrop, usual] of [
      ['For my shop', 'White', 82],
      ['For marketplaces', 'Main image', 88],
      ['For my shop', 'Transparent', 82],
    ] as const) {
      await page.getByRole('radio', { name: purpose }).check();
      await page.getByRole('radio', { name: backdrop, exact: true }).check();
      await page.getByText(`The product fills ${usual} %`).waitFor();
      const drawn = page.waitForRequest(
        (request) =>
          request.url().endsWith('/preview.webp') && (request.postData() ?? '').includes('"margin":0.05'),
      );
      await page.getByRole('spinbutton', { name: 'Margin in %' }).fill('5');
      await page.keyboard.press('Tab');
      await page.getByText('The product fills 90 %').waitFor();
      const { id, ...recipe } = (await drawn).postDataJSON();
      const { measures } = await client.checkRender(id, { ...recipe, marketplaces: ['amazon'] });
      expect(measures.fillShare, backdrop).toBeCloseTo(0.9, 2);
      await page.getByRole('button', { name: 'As designed' }).click();
    }

    await page.getByRole('radio', { name: 'White', exact: true }).check();
    await page.getByRole('radio', { name: 'For marketplaces' }).check();
    await page.getByRole('button', { name: 'Amazon' }).click();
    await page.getByRole('button', { name: 'Check the picture' }).click();
    await page.getByText('The product fills 82 %, needs at least 85 %').waitFor();
    await expectAccessible(page, 'checked photo');
    await page.getByRole('button', { name: 'Fix the margin' }).click();
    await page.getByText('The product fills 88 %').waitFor();
    await page.getByRole('button', { name: 'Check the picture' }).click();
    await page.locator('.badge.passes').waitFor();

    // Moved, scaled and turned by hand and by key; the frame is where the service draws the product.
    const frame = page.getByRole('button', { name: 'Place of the product.' });
    const box = (await frame.boundingBox())!;
    const changed = () => page.waitForRequest('**/preview.webp');
    const drag = async (from: [number, number], by: [number, number]) => {
      await page.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
      await page.mouse.down();
      await page.mouse.move(box.x + from[0] * box.width + by[0], box.y + from[1] * box.height + by[1]);
      const [request] = await Promise.all([changed(), page.mouse.up()]);
      return request.postDataJSON().mutations.layout;
    };
    const smaller = await drag([1, 1], [-box.width / 4, -box.height / 4]);
    expect(smaller.scale).toBeCloseTo(0.5, 1);
    expect((await drag([0.5, 0.5], [box.width / 5, 0])).x).toBeGreaterThan(0.6);
    await frame.focus();
    const [request] = await Promise.all([
      changed(),
      page.keyboard.press('.').then(() => page.keyboard.press('ArrowUp')),
    ]);
    const { id, ...recipe } = request.postDataJSON();
    expect(recipe.mutations.layout).toMatchObject({ rotate: 1, y: expect.any(Number) });
    const drawn = (await frame.boundingBox())!;
    const stage = (await page.locator('#panel-backdrop .pane-picture').boundingBox())!;
    const { measures } = await client.checkRender(id, { ...recipe, marketplaces: ['amazon'] });
    const measured = measures.productBox as { x: number; y: number; width: number };
    expect(measured.x / 2000).toBeCloseTo((drawn.x - stage.x) / stage.width, 1.7);
    expect(measured.width / 2000).toBeCloseTo(drawn.width / stage.width, 1.7);
    await page.getByRole('button', { name: 'Product', exact: true }).click();
    await page.getByRole('button', { name: 'Fit' }).getByText('%').waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
