/** For tests of HEIC: the sample files, and limits close to the service's defaults. */
import { readFileSync } from 'node:fs';

export const limits = {
  maxBytes: 25e6,
  maxPixels: 50e6,
  maxAvifPixels: 25e6,
  minSidePx: 16,
  maxSidePx: 16_383,
};

export const fixture = (name: string) =>
  readFileSync(new URL(`../../../../test/fixtures/heic/${name}.heic`, import.meta.url));
