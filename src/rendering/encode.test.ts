import sharp from 'sharp';
import { expect, it } from 'vitest';
import { palette } from '../recipes/solid-colors.ts';
import { encodePicture } from './encode.ts';
import { renderTarget } from './render-target.ts';

// The figures in docs/api.md.
it.each([
  ['webp', 5],
  ['avif', 1],
  ['png', 0],
] as const)('a flat %s preview has each color of the palette within %i levels', async (format, most) => {
  let worst = 0;
  for (const { color: background } of palette) {
    const create = { width: 64, height: 64, channels: 3, background } as const;
    const data = await sharp({ create }).raw().toBuffer();
    const target = renderTarget('preview', format);
    const bytes = await encodePicture({ ...create, data }, target);
    const decoded = await sharp(bytes).removeAlpha().raw().toBuffer();
    worst = decoded.reduce((max, value, i) => Math.max(max, Math.abs(value - data[i]!)), worst);
  }
  expect(worst).toBeLessThanOrEqual(most);
});
