/** Projects on the page: each drop is one; they are the same in every browser with the key, and deleted as a whole. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyPhoto, formWith, type Service } from '../acceptance/service.ts';
import {
  chromiumPath,
  desktop,
  dropPhoto,
  expectAccessible,
  needsChromium,
  openPage,
  phone,
  waitForCutout,
} from './browser.ts';
import { addPhotos, allCutOut, makePhotos, openDesign, openList } from './many-photos.ts';
import { useStudio } from './studio.ts';

/** For a busy machine. */
const patience = { timeout: 60_000 };

describe.skipIf(!chromiumPath)(`the projects of the Studio page${needsChromium}`, () => {
  const studio = useStudio();
  const goHome = (page: Page) => page.getByRole('button', { name: 'Back to start' }).click();
  const titleOf = (page: Page) => page.locator('h1').innerText();
  const project = (page: Page, name: string) =>
    page.locator('.project-open', { has: page.getByText(`Open ${name}`, { exact: true }) });
  const listDesigns = async (name: string): Promise<{ id: string; status: string }[]> => {
    const answer = await studio.service.call(`/v1/designs?project=${encodeURIComponent(name)}`);
    return ((await answer.json()) as { designs: { id: string; status: string }[] }).designs;
  };
  async function rename(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  it('makes a project of each drop, and shows the same ones in another browser', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    const [one, two, three] = await makePhotos(3, 0);
    await addPhotos(page, [one!, two!]);
    await allCutOut(page);
    const first = await titleOf(page);
    await goHome(page);
    await addPhotos(page, [two!, three!]);
    await page.getByRole('button', { name: 'Open SKU-102. Cutout' }).waitFor();
    const second = await titleOf(page);
    expect(second).not.toBe(first);
    await page.getByRole('button', { name: 'Open SKU-100' }).waitFor({ state: 'detached' });
    await goHome(page);
    await dropPhoto(page, studio.photo, 'Red crate.jpg');
    await waitForCutout(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Red crate', level: 1 }).waitFor();
    await goHome(page);
    await expectAccessible(page, 'projects');

    const other = await openPage(studio.browser, studio.service.url, { ...phone, colorScheme: 'dark' });
    for (const [name, photos] of [[first, 2] as const, [second, 2] as const, ['Red crate', 1] as const]) {
      await project(other.page, name).waitFor();
      const tile = other.page.locator('.project', { has: project(other.page, name) });
      await tile.locator('img').waitFor();
      expect(await listDesigns(name)).toHaveLength(photos);
    }
    await expectAccessible(other.page, 'projects on a phone');
    await project(other.page, first).click();
    for (const name of ['SKU-100', 'SKU-101'])
      await other.page.getByRole('button', { name: `Open ${name}. Cutout` }).waitFor();
    expect(await other.page.locator('.photo').count()).toBe(2);
    // What is removed in one browser is gone in the other.
    await other.page.getByRole('button', { name: 'Delete SKU-100' }).click();
    await other.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(async () => (await listDesigns(first)).length, patience).toBe(1);
    await project(page, first).click();
    await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor();
    expect([...errors, ...other.errors]).toEqual([]);
    await close();
    await other.close();
  });

  it('finds and renames a project, also while photos are uploaded to it', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/image-upload?*', async (route) => {
      asked++;
      await gate.promise;
      await route.continue();
    });
    await addPhotos(page, await makePhotos(3, 0));
    await expect.poll(() => asked, patience).toBe(2);
    const old = await titleOf(page);
    await page.getByRole('button', { name: 'Rename the project' }).click();
    await expectAccessible(page, 'rename');
    const renaming = rename(page, '  Autumn “shoes”/50 %  ');
    gate.resolve();
    await renaming;
    expect(await titleOf(page)).toBe('Autumn “shoes”/50 %');
    await allCutOut(page);
    expect(await listDesigns('Autumn “shoes”/50 %')).toHaveLength(3);
    expect(await listDesigns(old)).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: '3 photos' }).waitFor();
    await goHome(page);

    await dropPhoto(page, studio.photo, 'Lamps.jpg');
    await waitForCutout(page);
    await goHome(page);
    await page.getByRole('searchbox', { name: 'Search projects' }).fill('SHOES');
    await page.getByText('1 project found').waitFor();
    await project(page, 'Lamps').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename Autumn' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Lamps');
    await page.getByText('The two become one.').waitFor();
    await rename(page, 'Shoes');
    await project(page, 'Shoes').waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('deletes a project of 20 photos in three clicks, and nothing of it is left', async () => {
    const name = 'Customer';
    await uploadMany(studio.service, name, studio.photo);
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    let clicks = 0;
    const click = async (label: string | RegExp) => {
      clicks++;
      await page.getByRole('button', { name: label }).click();
    };
    await project(page, name).waitFor();
    const ids = (await listDesigns(name)).map(({ id }) => id);
    expect(ids).toHaveLength(20);
    await click(`Delete ${name}`);
    await page.getByText('This deletes 20 photos, the cutouts and all pictures made from them').waitFor();
    await expectAccessible(page, 'delete');
    await click('Delete 20 photos');
    await project(page, name).waitFor({ state: 'detached' });
    expect(clicks).toBeLessThanOrEqual(3);
    expect(await listDesigns(name)).toEqual([]);
    expect((await studio.service.call(`/v1/design/${ids[0]}`)).status).toBe(404);
    expect(errors).toEqual([]);
    await close();
  });

  it('empties a project that is still being uploaded, forgets it in this browser, and takes new photos for it', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    await addPhotos(page, await makePhotos(6, 0));
    await page.getByText(/^[1-9] of 6 cut out/).waitFor();
    const name = await titleOf(page);
    await page.getByRole('button', { name: 'Empty the project' }).click();
    await page.getByRole('button', { name: 'Delete 6 photos' }).click();
    await page.getByText('No photos here.').waitFor();
    expect(await listDesigns(name)).toEqual([]);
    // The browser may keep covers of other projects, which the start page shows.
    const findStored = () =>
      page.evaluate(`new Promise((resolve) => {
      indexedDB.open('packshot-studio').onsuccess = ({ target: { result } }) => {
        const rows = [...result.objectStoreNames].map((store) => new Promise((done) => {
          result.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => done(target.result);
        }));
        Promise.all(rows).then((found) => resolve(found.flat()
          .filter((row) => row instanceof Blob || row.project === ${JSON.stringify(name)}).length));
      };
    })`);
    await expect.poll(findStored, patience).toBe(0);
    await addPhotos(page, await makePhotos(1, 0));
    await page.getByRole('button', { name: 'Open SKU-100. Cutout' }).waitFor();
    expect(await listDesigns(name)).toHaveLength(1);
    expect(errors).toEqual([]);
    await close();
  });

  it('says why a project cannot be deleted, and deletes it at the next try', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropPhoto(page, studio.photo, 'stubborn.jpg');
    await waitForCutout(page);
    await goHome(page);
    const refuse = {
      status: 503,
      code: 'storage_unavailable',
      title: '',
      detail: '',
      type: '',
      requestId: 'r',
    };
    await page.route('**/v1/projects/stubborn', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(refuse) }),
    );
    await page.getByRole('button', { name: 'Delete stubborn' }).click();
    await page.getByRole('button', { name: 'Delete 1 photo' }).click();
    await page.getByRole('alert').getByText('The service cannot reach its storage').waitFor();
    await page.unroute('**/v1/projects/stubborn');
    await page.getByRole('button', { name: 'Try again' }).click();
    await project(page, 'stubborn').waitFor({ state: 'detached' });
    expect(await listDesigns('stubborn')).toEqual([]);
    await close();
  });

  it('uploads a photo without a product again, to leave it as it is', async () => {
    const [good] = await makePhotos(1, 0);
    const empty = { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: await emptyPhoto() };
    const { page, close } = await openList(studio.browser, studio.service.url, desktop, [good!, empty]);
    await page.getByText('No product was found').waitFor();
    const name = await titleOf(page);
    const before = (await listDesigns(name)).map(({ id }) => id);
    const uploaded = page.waitForResponse(/image-upload/);
    await page.getByRole('button', { name: 'Leave empty as it is' }).click();
    await uploaded;
    await page.getByText('No product was found').waitFor({ state: 'detached' });
    const states = async () => (await listDesigns(name)).map(({ status }) => status);
    await expect.poll(states, patience).toEqual(['ready', 'ready']);
    expect((await listDesigns(name)).filter(({ id }) => before.includes(id))).toHaveLength(1);
    await close();
  });

  it('uses one look for the photos of one project only, and deletes selected photos', async () => {
    const files = await makePhotos(3, 0);
    const { page, close } = await openList(studio.browser, studio.service.url, desktop, files.slice(0, 2));
    const first = await titleOf(page);
    await page.getByRole('radio', { name: 'Sage', exact: true }).check();
    await page.getByRole('button', { name: 'Open SKU-100. Sage' }).waitFor();
    await goHome(page);
    await addPhotos(page, files);
    await allCutOut(page);
    const second = await titleOf(page);
    await page.getByRole('button', { name: 'Open SKU-100. Sage' }).click();
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    await page.getByRole('radio', { name: 'Blush', exact: true }).check();
    await page.getByRole('button', { name: 'Use for all photos' }).click();
    await page.getByRole('button', { name: 'Open SKU-102. Blush' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select SKU-101' }).check({ force: true });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete 1 photo' }).click();
    await expect.poll(async () => (await listDesigns(second)).length, patience).toBe(2);
    await goHome(page);
    await project(page, first).click();
    await page.getByRole('button', { name: 'Open SKU-101. Sage' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Sage', exact: true }).isChecked()).toBe(true);
    expect(openDesign(page)).toBe(encodeURIComponent(first));
    await close();
  });

  it('fits a window of 320 pixels', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, {
      viewport: { width: 320, height: 700 },
    });
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    await dropPhoto(page, studio.photo, `${'a-very-long-name-'.repeat(8)}.jpg`);
    await waitForCutout(page);
    await goHome(page);
    await page.getByRole('button', { name: /^Rename a-very-long/ }).click();
    expect(await width()).toBeLessThanOrEqual(320);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: /^Open a-very-long/ }).click();
    await page.getByRole('heading', { name: '1 photo', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: /^Select/ }).check({ force: true });
    expect(await width()).toBeLessThanOrEqual(320);
    await close();
  });
});

async function uploadMany(service: Service, project: string, photo: Buffer): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const form = formWith(photo, 'file', `photo-${i}.jpg`);
    form.append('project', project);
    const answer = await service.call('/v1/design/image-upload', { method: 'POST', body: form });
    expect(answer.status).toBe(200);
  }
}
