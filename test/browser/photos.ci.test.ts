/**
 * A shop's day on the page: many photos, one look, a service that is killed in between, and one ZIP of pictures that
 * marketplaces accept.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../src/batches/testing/read-zip.ts';
import { holdRemover } from '../acceptance/held-remover.ts';
import { endProcess, type ServiceProcess, spawnService } from '../acceptance/process.ts';
import { formWith, jsonOf, startOwnService, white } from '../acceptance/service.ts';
import {
  chromiumPath,
  desktop,
  expectAccessible,
  launchBrowser,
  needsChromium,
  openPage,
  phone,
} from './browser.ts';
import { addPhotos, allCutOut, chip, eraseCorner, makePhotos, openDesign, openList } from './many-photos.ts';

/** Number of photos in a small shop's day, and how many of them are HEIC. Each takes two seconds of CPU. */
const [count, heics] = [14, 3];

/** Finds a port for the service, which must get the same one after its restart: the page calls no other address. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${port}`;
}

describe.skipIf(!chromiumPath)(`the Studio page with many photos${needsChromium}`, () => {
  let dataDir: string;
  let browser: Browser;
  let service: ServiceProcess;
  let settings: Record<string, string>;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'packshot-photos-'));
    settings = { PORT: await freePort() };
    [service, browser] = await Promise.all([spawnService(dataDir, settings), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    if (service) await endProcess(service.child, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('turns a day of a shop’s photos into one ZIP that two marketplaces accept, despite a kill of the service', async () => {
    const { page, errors, close } = await openPage(browser, service.url, desktop);
    await addPhotos(page, await makePhotos(count - heics, heics));
    await page.getByRole('heading', { name: `${count} photos` }).waitFor();
    await page.getByText(new RegExp(`^[1-9]\\d* of ${count} cut out`)).waitFor();
    await endProcess(service.child, 'SIGKILL');
    service = await spawnService(dataDir, settings);
    // The page continues without a click.
    await allCutOut(page);
    await page.getByText(`Done ${count}`).waitFor();

    await page.getByRole('radio', { name: 'For marketplaces' }).check();
    await page.getByRole('radio', { name: 'Main image' }).check();
    await page.getByRole('button', { name: /^Open SKU-104\. / }).click();
    await eraseCorner(page);
    const corrected = openDesign(page);
    await page.getByRole('button', { name: 'Back to the photos' }).click();
    await page.getByRole('button', { name: new RegExp(`^Make ${count} pictures`) }).click();
    // The service goes on making the pictures while the page is reloaded.
    await page.getByText(new RegExp(`of ${count} made`)).waitFor();
    await page.reload();
    const save = page.getByRole('button', { name: /^Download ZIP/ });
    await save.waitFor({ timeout: 120_000 });
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(saved.suggestedFilename()).toBe(`packshot-${count}-pictures.zip`);

    const entries = await readZip(await readFile(await saved.path()));
    const pictures = entries.filter(({ name }) => name !== 'manifest.json');
    expect(pictures.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'SKU-100.jpeg',
        `SKU-${99 + count - heics}.jpeg`,
        'IMG_2000.jpeg',
        `IMG_${1999 + heics}.jpeg`,
      ]),
    );
    expect(pictures).toHaveLength(count);
    for (const { name, bytes } of pictures) {
      const body = formWith(bytes, 'file', name);
      body.append('marketplace', 'amazon,walmart');
      const check = await service.call('/v1/checks', { method: 'POST', body });
      expect(await check.json(), name).toMatchObject({
        passes: true,
        checks: [
          { marketplace: 'amazon', verdict: 'passes' },
          { marketplace: 'walmart', verdict: 'passes' },
        ],
      });
    }
    // The ZIP's picture of the corrected photo shows the corrected cutout.
    const drawn = await service.call('/v1/design/generated.jpeg', {
      method: 'POST',
      body: JSON.stringify({ id: corrected, recipeId: 'Listing_amazon_main', variant: '1:1' }),
    });
    const inZip = pictures.find(({ name }) => name === 'SKU-104.jpeg');
    expect(Buffer.from(await drawn.arrayBuffer()).equals(inZip!.bytes)).toBe(true);
    const state = await (await service.call(`/v1/design/${corrected}`)).json();
    expect(state).toMatchObject({ cutout: { revision: 2 } });
    // The kill causes network errors.
    expect(errors.filter((error) => !error.includes('net::ERR_'))).toEqual([]);
    await close();
  }, 400_000);

  it('makes the pictures of a list or of three channels, and says which photos of the list are not here', async () => {
    const { page, errors, close } = await openPage(browser, service.url, desktop);
    await addPhotos(page, await makePhotos(2, 0));
    await allCutOut(page);
    const choose = (text: string) =>
      page
        .getByLabel('Use a list (CSV)')
        .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('sku\nA1');
    await page.getByText('no column "photo"').waitFor();
    await choose(
      'sku;photo;recipe;name\nA1;SKU-100.jpg;Solid4_5_0035;\nA1;sku-100.jpg;;\nB2;SKU-101.jpg;Solid1_1_0042;b\nC3;gone.jpg;;\n',
    );
    await page.getByText('1 photo of the list not here: gone.jpg').waitFor();
    await page.getByRole('button', { name: 'Make 3 pictures' }).click();
    const save = page.getByRole('button', { name: /^Download ZIP/ });
    await save.waitFor({ timeout: 120_000 });
    const [saved] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const [, ...pictures] = await readZip(await readFile(await saved.path()));
    expect(pictures.map(({ name }) => name)).toEqual(['A1_1.jpeg', 'A1_2.png', 'b.jpeg']);
    await page.getByRole('button', { name: 'products.csv' }).click();

    // Three channels from one drop, in five clicks.
    const channels = page.getByRole('group', { name: /^Make each photo/ });
    for (const name of ['Amazon', 'Shop 4:5', 'Story 9:16'])
      await channels.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Make 6 pictures' }).click();
    await save.waitFor({ timeout: 120_000 });
    const [zip] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const sizes = new Map<string, string>();
    for (const { name, bytes } of (await readZip(await readFile(await zip.path()))).slice(1)) {
      const { width, height } = await sharp(bytes).metadata();
      sizes.set(name, `${width} x ${height}`);
    }
    expect(Object.fromEntries(sizes)).toEqual({
      'amazon/SKU-100.jpeg': '2000 x 2000',
      'amazon/SKU-101.jpeg': '2000 x 2000',
      'shop-4x5/SKU-100.png': '1600 x 2000',
      'shop-4x5/SKU-101.png': '1600 x 2000',
      'story-9x16/SKU-100.png': '1125 x 2000',
      'story-9x16/SKU-101.png': '1125 x 2000',
    });

    // The files of one channel, smaller, lighter and under other names.
    for (const name of ['Amazon', 'Story 9:16']) await channels.getByRole('button', { name }).click();
    await page.getByRole('radio', { name: 'WebP' }).check();
    for (const [label, text] of [
      ['Longer side, px', '900'],
      ['At most, MB', '0.03'],
      ['Names', '{n}-{channel}'],
    ] as const) {
      await page.getByLabel(label).fill(text);
      await page.keyboard.press('Tab');
    }
    await page.getByRole('button', { name: 'Make 2 pictures' }).click();
    await save.waitFor({ timeout: 120_000 });
    const [small] = await Promise.all([page.waitForEvent('download'), save.click()]);
    const [, one, two] = await readZip(await readFile(await small.path()));
    expect([one!.name, two!.name]).toEqual(['shop-4x5/1-shop-4x5.webp', 'shop-4x5/2-shop-4x5.webp']);
    expect((await sharp(one!.bytes).metadata()).height).toBe(900);
    expect(one!.bytes.byteLength).toBeLessThanOrEqual(30_000);
    expect(errors).toEqual([]);
    await close();
  }, 200_000);

  it('reports failures, changes the backdrop of selected photos only, and fixes pictures that a marketplace refuses', async () => {
    const { page, close } = await openPage(browser, service.url, desktop);
    const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') };
    await addPhotos(page, [...(await makePhotos(3, 0)), broken]);
    await allCutOut(page);
    await page.getByText('This kind of file cannot be read').waitFor();
    await page.getByRole('button', { name: 'Retry broken' }).click();
    await allCutOut(page);
    await page.getByRole('button', { name: 'Delete broken' }).click();
    await page.getByRole('heading', { name: '3 photos' }).waitFor();

    await page.getByRole('radio', { name: 'Sage', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select SKU-101' }).check({ force: true });
    await page.getByRole('radio', { name: 'White', exact: true }).check();
    await page.getByRole('button', { name: 'Open SKU-101. White' }).waitFor();
    await page.getByRole('button', { name: 'Open SKU-100. Sage' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    // A look for one photo is not the look of photos that are added later.
    await addPhotos(page, (await makePhotos(4, 0)).slice(3));
    await page.getByRole('button', { name: 'Open SKU-103. Sage' }).waitFor();

    await page.getByRole('radio', { name: 'For marketplaces' }).check();
    const checked = page.getByRole('group', { name: 'Check for marketplaces' });
    await checked.getByRole('button', { name: 'Amazon' }).click();
    await chip(page, 'Check 4 pictures').click();
    await page.getByText('0 of 4 pictures pass our checks.').waitFor();
    await page.getByText('The product fills 82 %, needs at least 85 %').first().waitFor();
    await page.getByRole('radio', { name: 'Fails a check 4' }).check();
    await expectAccessible(page, 'photos, checked');
    await chip(page, 'Fix 4 pictures').click();
    await page.getByText('4 of 4 pictures pass our checks.').waitFor();
    await page.getByText('No checked picture fails.').waitFor();
    // The margin was enough: the pictures keep their look.
    await page.getByRole('radio', { name: 'All 4' }).check();
    await page.getByRole('button', { name: 'Open SKU-101. White' }).waitFor();
    await close();
  });

  it('waits for the best cutouts of a list, and judges those of other programs once they are better', async () => {
    const remover = await holdRemover();
    const deadlineMs = 4_000;
    const slow = await startOwnService({
      ...remover.environment,
      REMOVAL_QUALITY: 'quality',
      PREVIEW_DEADLINE_MS: `${deadlineMs}`,
    });
    const { page, errors, close } = await openPage(browser, slow.url, desktop);
    const [mine, other] = await makePhotos(2, 0);
    // The service finds a doubt in every cutout.
    const issues = [{ code: 'touches_frame', detail: 'The product is cut off at the left of the photo.' }];
    await page.route(/\/v1\/(designs\?|design\/dsg_\w+(\?|$))/, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const design of json.designs ?? [json]) if (design.subject) design.subject.issues = issues;
      await route.fulfill({ response, json });
    });
    try {
      // With two files it is a list; the second is no photo.
      await addPhotos(page, [mine!, { ...mine!, name: 'broken.jpg', buffer: Buffer.from('no picture') }]);
      await remover.asked(1);
      await pause(deadlineMs);
      remover.release(1);
      await remover.asked(2);
      await page.getByText('Cutting out').waitFor();
      remover.release(1);
      await page.getByRole('button', { name: 'Open SKU-100. The product is cut off' }).waitFor();

      const form = formWith(other!.buffer, 'file', other!.name);
      form.append('project', 'Feed');
      const upload = await slow.call('/v1/design/image-upload', { method: 'POST', body: form });
      const { id } = await jsonOf(upload);
      await remover.asked(3);
      await pause(deadlineMs);
      remover.release(1);
      await page.getByRole('button', { name: 'Back to start' }).click();
      await page.getByRole('button', { name: 'Open Feed 1 photo' }).click();
      await page.getByRole('button', { name: 'Open SKU-101. Getting better' }).waitFor();
      await page.getByText('Doubtful 0').waitFor();
      remover.release();
      // A full version does not wait until the service is idle.
      await slow.call('/v1/design/generated.jpeg', { json: { id, ...white } });
      await page.getByRole('button', { name: 'Open SKU-101. The product is cut off' }).waitFor();
      await page.getByText('Doubtful 1').waitFor();
      expect(errors).toEqual([]);
    } finally {
      await close();
      remover.release();
      await slow.stop();
      remover.close();
    }
  });

  it('corrects one cutout with a brush, and undoes it', async () => {
    const { page, close } = await openList(browser, service.url, desktop, await makePhotos(2, 0));
    await page.getByRole('button', { name: 'Open SKU-100' }).click();
    await eraseCorner(page);
    await expectAccessible(page, 'correction');
    const answer = await service.call(`/v1/design/${openDesign(page)}`);
    expect(await answer.json()).toMatchObject({ cutout: { undo: expect.any(Number) } });
    await Promise.all([
      page.waitForResponse(/\/correct$/),
      page.getByRole('button', { name: 'Undo' }).click(),
    ]);
    await page.locator('.paint').focus();
    await page.keyboard.press('Space');
    await page.getByText('1 to apply').waitFor();
    await expectAccessible(page, 'correction to apply');
    await close();
  });

  it('puts all photos on the shop’s own backdrop with its logo, as a look with a name, in six clicks', async () => {
    const files = await makePhotos(2, 0);
    const { page, errors, close } = await openList(browser, service.url, desktop, files);
    await page.getByLabel('Use my own backdrop').setInputFiles(files[1]!);
    await page.getByRole('button', { name: 'Open SKU-101. Your backdrop' }).waitFor();
    await page.getByLabel('Add your logo').setInputFiles(files[0]!);
    await page.getByRole('radio', { name: 'Top left' }).check();
    await page.getByText('Adjust').click();
    await page.getByRole('radio', { name: 'Contact' }).check();
    await expectAccessible(page, 'a brand');
    await page.getByLabel('Save as a look').fill('Spring');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Open SKU-101. Spring' }).waitFor();
    await page.getByRole('button', { name: 'Make 2 pictures' }).click();
    await page.getByRole('button', { name: /^Download ZIP/ }).waitFor();
    // The look is the account's: it is there after a reload, and is renamed and deleted here.
    await page.reload();
    await page.getByRole('radio', { name: 'Spring' }).waitFor();
    await page.getByLabel('Name of the look').fill('Autumn');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('radio', { name: 'Autumn' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('button', { name: 'Open SKU-101. White' }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('keeps the list when one photo is opened on a phone', async () => {
    const { page, close } = await openList(
      browser,
      service.url,
      { ...phone, colorScheme: 'dark' },
      await makePhotos(2, 0),
    );
    await page.getByRole('button', { name: /^Look: / }).click();
    await expectAccessible(page, 'sheet of looks');
    await page.getByRole('button', { name: 'Show the photos' }).click();
    await expectAccessible(page, 'photos');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Open SKU-100' }).click();
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    // What is chosen for an opened photo is what the list makes of it, and is still chosen when it is opened again.
    await page.getByRole('radio', { name: 'Blush', exact: true }).check();
    await page.getByRole('button', { name: 'Back to the photos' }).click();
    await page.getByRole('button', { name: 'Open SKU-101. Cutout' }).waitFor();
    await page.getByRole('button', { name: 'Open SKU-100. Blush' }).click();
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    expect(await page.getByRole('radio', { name: 'Blush', exact: true }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Sage', exact: true }).check();
    await page.getByRole('button', { name: 'Use for all photos' }).click();
    await page.getByRole('button', { name: 'Open SKU-101. Sage' }).waitFor();
    await page.getByRole('button', { name: 'Back to start' }).click();
    await page
      .getByText(/^2 photos · (today|[A-Z])/)
      .first()
      .waitFor();
    await close();
  });
});
