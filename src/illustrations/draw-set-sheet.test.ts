import sharp from 'sharp';
import { expect, it } from 'vitest';
import { builtIn } from '../scenes/open-sets.ts';
import { drawSetSheet } from './draw-set-sheet.ts';

const files = [...builtIn.sets, ...builtIn.places];

/** Drawing each with every product takes minutes, so that without CI=true one product is drawn, another for each set. */
const isThorough = process.env.CI === 'true';

it.each(files.map((file, index) => [file.id, file, index] as const))(
  '%s is drawn with the products that it is offered to',
  async (_id, file, index) => {
    const suits = isThorough ? file.offered : [file.offered[index % file.offered.length]!];
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
