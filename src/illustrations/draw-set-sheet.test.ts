import sharp from 'sharp';
import { expect, it } from 'vitest';
import { builtIn } from '../../packages/sets/src/open-sets.ts';
import { drawSetSheet } from './draw-set-sheet.ts';

const files = [...builtIn.sets, ...builtIn.places];

/** Drawing each with every product takes minutes, so that one product is drawn, or two in CI, others for each set. */
const most = process.env.CI === 'true' ? 2 : 1;

it.each(files.map((file, index) => [file.id, file, index] as const))(
  '%s is drawn with products that it is offered to',
  async (_id, file, index) => {
    const count = Math.min(most, file.offered.length);
    const suits = Array.from({ length: count }, (_, at) => file.offered[(index + at) % file.offered.length]!);
    const side = 64;
    const sheet = await drawSetSheet(file, side, suits);
    const { data, info } = await sharp(sheet).raw().toBuffer({ resolveWithObject: true });
    const columns = Math.min(4, suits.length);
    expect(info).toMatchObject({ width: columns * side, height: Math.ceil(suits.length / columns) * side });
    // A set that hides the product, or fails to light it, has no range of brightness.
    const levels = data.filter((_, at) => at % info.channels === 1);
    expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(40);
  },
);
