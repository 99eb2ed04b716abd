/** Colors of the boards below furniture. */
import { colorDistance, type Oklch, oklchFromHex } from '../oklch.ts';

/**
 * Wood and its darker grain: oak, walnut, gray oak and smoked oak. These colors are less saturated than those of a
 * table, because a floor fills a third of the picture. None is pale, because on a pale floor, the shade below a seat
 * looks like a stain.
 */
const woods = [
  ['#A78C6E', '#78614A'],
  ['#6B5844', '#42352A'],
  ['#8C8274', '#63594C'],
  ['#806A52', '#574637'],
] as const;
/** Minimum OKLab distance between the wood and the product, which would otherwise merge with the floor. */
const apart = 0.05;
/** A wall below this OKLCH lightness is dark. Below a dark wall, only wood that is also darker than this is used. */
const darkBelow = 0.5;

/** The scenes of a list have different `turn`s, and so different boards. */
export function chooseBoards(product: Oklch, wallLightness: number, turn: number): [string, string] {
  const fitting = woods.filter(([wood]) => {
    const color = oklchFromHex(wood);
    return colorDistance(color, product) >= apart && (wallLightness >= darkBelow || color.l < darkBelow);
  });
  const choices = fitting.length > 0 ? fitting : woods;
  return [...choices[turn % choices.length]!];
}
