/**
 * The page with a slow, a failing and a missing service: the page explains the problem, and continues when it can.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emptyPhoto } from '../acceptance/service.ts';
import {
  chromiumPath,
  desktop,
  dropPhoto,
  followBar,
  needsChromium,
  openPage,
  phone,
  waitForCutout,
} from './browser.ts';
import { useStudio } from './studio.ts';

describe.skipIf(!chromiumPath)(`the Studio page during faults${needsChromium}`, () => {
  const studio = useStudio();

  /** The next `times` calls of `path` get a problem document instead. */
  async function failCalls(
    page: Page,
    path: string,
    times: number,
    problem: { status: number; code: string },
  ) {
    let left = times;
    await page.route(path, (route) => {
      if (left-- <= 0) return route.continue();
      return route.fulfill({
        status: problem.status,
        headers: { 'x-request-id': 'req_test', 'retry-after': '0' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, type: '', title: '', detail: 'Words.', requestId: 'req_test' }),
      });
    });
  }

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('shows the current step of a slow service on a %s', async (_, device) => {
    const { page, close } = await openPage(studio.browser, studio.service.url, device);
    const looked = Promise.withResolvers<void>();
    await page.route('**/image-upload', async (route) => {
      await looked.promise;
      await route.continue();
    });
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await page.getByText(/^Uploading \d+ kB/).waitFor();
    // While the page waits, it counts the seconds and shows the photo.
    await page.getByText(/· [1-9]\d* s/).waitFor();
    expect(await page.locator('.waiting-photo').isVisible()).toBe(true);
    looked.resolve();
    await waitForCutout(page);
    await close();
  });

  it('retries by itself while the service is busy, and tells the user', async () => {
    const { page, errors, close } = await openPage(studio.browser, studio.service.url, desktop);
    await failCalls(page, '**/image-upload', 1, { status: 503, code: 'queue_full' });
    const readBar = await followBar(page);
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await waitForCutout(page);
    expect(await readBar()).toContain('The service is very busy. Trying again');
    expect(errors).toEqual([]);
    await close();
  });

  it('explains a lasting failure, shows the request id, and continues after a click', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, phone);
    await failCalls(page, '**/image-upload', 4, { status: 503, code: 'queue_full' });
    await dropPhoto(page, studio.photo, 'crate.jpg');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('The service is very busy');
    expect(await alert.innerText()).toContain('req_test');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await waitForCutout(page);
    await close();
  });

  it('requests another key if the service refuses the stored one, and then continues', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, {
      ...desktop,
      key: 'a-key-that-nobody-knows-here',
    });
    await dropPhoto(page, studio.photo, 'crate.jpg');
    const dialog = page.getByRole('dialog', { name: 'This key is not valid here' });
    await dialog.getByRole('textbox', { name: 'API key' }).fill(studio.service.key);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await waitForCutout(page);
    await close();
  });

  it('holds a dropped photo until there is a key, and deletes the key on request', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, { ...desktop, key: null });
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await page.getByRole('textbox', { name: 'API key' }).fill(studio.service.key);
    await page.keyboard.press('Enter');
    await waitForCutout(page);
    await page.getByRole('button', { name: /^Key/ }).click();
    await page.getByRole('button', { name: 'Forget this key' }).click();
    await page.getByRole('button', { name: 'Enter key' }).waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await close();
  });

  it('does not send a photo that exceeds the service’s size limit', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await page.route('**/v1/limits', async (route) => {
      const limits = await (await route.fetch()).json();
      await route.fulfill({ json: { ...limits, image: { ...limits.image, maxBytes: 4_000_000 } } });
    });
    let uploads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('image-upload')) uploads++;
    });
    await dropPhoto(page, Buffer.alloc(5_100_000), 'huge.jpg');
    await page.getByText('It has 5.1 MB, and this service takes at most 4.0 MB.').waitFor();
    expect(uploads).toBe(0);
    await close();
  });

  it('explains why a photo cannot be fetched from a malformed or forbidden URL', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    const address = page.getByRole('textbox', { name: 'Link to a photo on the web' });
    await address.fill('crate.jpg');
    await page.keyboard.press('Enter');
    await page.getByText('A link begins with https://').waitFor();
    await address.fill('http://127.0.0.1:1/crate.jpg');
    await page.getByRole('button', { name: 'Fetch' }).click();
    await page.getByText('This address is not allowed').waitFor();
    await close();
  });

  it('reports that no product was found, and offers another photo', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropPhoto(page, await emptyPhoto(), 'nothing.jpg');
    await page.getByText('No product was found in this photo').waitFor();
    await page.getByRole('button', { name: 'Use another photo' }).click();
    await page.getByText('Drop photos or a folder').waitFor();
    await close();
  });

  it('distinguishes a service that is down from a browser that is offline', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'));
    const readBar = await followBar(page);
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await page.getByRole('alert').waitFor();
    expect(await readBar()).toContain('The service cannot be reached. Trying again');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.unroute('**/v1/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await waitForCutout(page);
    await close();
  });

  it('says that a design is gone, and does not list its project any more', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropPhoto(page, studio.photo, 'old.jpg');
    await waitForCutout(page);
    const id = new URL(page.url()).hash.replace('#/d/', '');
    await studio.service.call(`/v1/design/${id}`, { method: 'DELETE' });
    await page.reload();
    await page.getByText('This design is gone').waitFor();
    const listed = page.waitForResponse('**/v1/projects');
    await page.getByRole('button', { name: 'Use another photo' }).click();
    await (await listed).finished();
    await page.getByRole('button', { name: 'Open old' }).waitFor({ state: 'detached' });
    await close();
  });

  it('lets the user cancel a full version that takes too long', async () => {
    const { page, close } = await openPage(studio.browser, studio.service.url, desktop);
    await dropPhoto(page, studio.photo, 'crate.jpg');
    await waitForCutout(page);
    await page.getByRole('tab', { name: 'Backdrop' }).click();
    await page.route('**/generated.jpeg', () => undefined);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByText(/Making it · \d+ s/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await close();
  });
});
