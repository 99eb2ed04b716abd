import { describe, expect, it } from 'vitest';
import { makePlan } from '../../sets/src/testing/plans.ts';
import { frameProduct } from './camera.ts';
import { measureProductLight, type ProductLight } from './product-light.ts';
import { stageScene } from './stage-scene.ts';
import type { StudioScene } from './studio-scene.ts';

const canvas = { width: 256, height: 256 };

/** A wooden table in a park; `studio` has the same table in a studio. */
const inPlace = stageScene(makePlan('meadow-boards'));
const studio: StudioScene = {
  ...inPlace,
  place: undefined,
  key: { ...inPlace.key, az: -45, angularRadius: 1.2, color: [1, 1, 1], intensity: 1.2 },
  environment: { bottom: [0.2, 0.2, 0.2], top: [0.35, 0.35, 0.35], front: [0.05, 0.05, 0.05] },
};

function light(scene: StudioScene): Promise<ProductLight> {
  const box = frameProduct(scene, canvas, 0.6);
  const data = new Uint8Array(box.width * box.height * 4);
  for (let i = 0; i < data.length; i += 4) data.set([180, 180, 180, 255], i);
  return measureProductLight(scene, canvas, {
    image: { width: box.width, height: box.height, data },
    x: box.x,
    y: box.y,
  });
}

/** Mean of channel `c` over the rows between two fractions of the height. */
function meanOf(
  { columns, rows, light: cells }: ProductLight,
  [from, to]: readonly number[],
  c: number,
): number {
  let sum = 0;
  let count = 0;
  for (let row = Math.floor(from! * rows); row < to! * rows; row++) {
    for (let column = 2; column < columns - 2; column++) {
      sum += cells[(row * columns + column) * 3 + c]!;
      count++;
    }
  }
  return sum / count;
}

/** Range of the green light in the middle column, relative to the mean of that column. */
function contrastOf({ columns, rows, light: cells }: ProductLight): number {
  const column = Array.from(
    { length: rows - 8 },
    (_, i) => cells[((i + 4) * columns + (columns >> 1)) * 3 + 1]!,
  );
  return (Math.max(...column) - Math.min(...column)) / (column.reduce((a, b) => a + b) / column.length);
}

describe('measureProductLight', () => {
  it('shows the shadow pattern of the key light on the product', async () => {
    const blinds = {
      kind: 'blinds',
      target: [0, 0.5, 0],
      distance: 1.8,
      leak: 0.1,
      scale: 1,
      turn: 0,
      period: 0.25,
      open: 0.5,
      width: 6,
    } as const;
    const [plain, striped] = [await light(studio), await light({ ...studio, gobo: blinds })];
    expect(contrastOf(striped)).toBeGreaterThan(0.5);
    expect(contrastOf(striped)).toBeGreaterThan(2 * contrastOf(plain));
  });

  it('is brighter on the side of the key light', async () => {
    const { columns, rows, light: cells } = await light(studio);
    const at = (column: number): number => cells[((rows >> 1) * columns + column) * 3 + 1]!;
    expect(at(4)).toBeGreaterThan(1.1 * at(columns - 5));
  });

  it('takes on the color of the ground near the product’s foot', async () => {
    const red = Object.fromEntries(
      Object.entries(studio.materials).map(([name, settings]) => [
        name,
        { kind: 'matte', color: '#d02010', plankWidth: settings.plankWidth ?? 1 } as const,
      ]),
    );
    const measured = await light({ ...studio, materials: red });
    const warmth = (rows: readonly number[]): number => meanOf(measured, rows, 0) / meanOf(measured, rows, 2);
    expect(warmth([0.85, 1])).toBeGreaterThan(1.08 * warmth([0, 0.15]));
  });

  it('also works in a place, and returns the same numbers when repeated', async () => {
    const [one, other] = [await light(inPlace), await light(inPlace)];
    expect(one).toEqual(other);
    for (const channel of one.mean) expect(channel).toBeGreaterThan(0.2);
    for (const value of one.light) expect(Number.isFinite(value)).toBe(true);
  });
});
