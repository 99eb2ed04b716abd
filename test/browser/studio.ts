/** One service and one browser for all tests of a file. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { cratePhoto, type Service, startOwnService } from '../acceptance/service.ts';
import { launchBrowser } from './browser.ts';

export interface Studio {
  readonly service: Service;
  readonly browser: Browser;
  readonly photo: Buffer;
}

/** Call this in a `describe` block; the returned object is filled before the first test. */
export function useStudio(): Studio {
  const studio: { -readonly [Name in keyof Studio]?: Studio[Name] } = {};
  beforeAll(async () => {
    [studio.service, studio.browser] = await Promise.all([startOwnService(), launchBrowser()]);
    studio.photo = await cratePhoto();
  });
  afterAll(async () => {
    await studio.browser?.close();
    await studio.service?.stop();
  });
  return studio as Studio;
}
