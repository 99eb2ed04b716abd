/** Colors of the boards below furniture. */
import { colorDistance, type Oklch, oklchFromHex } from '../oklch.ts';

/**
 * Wood and its darker grain: oak, walnut, gray oak, smoked oak and ash. These colors are less saturated than those of a
 * table, because a floor fills a third of the picture. None is very pale, because on a pale floor, the shade below a
 * seat looks like a stain.
 */
const woods = [
  ['#A78C6E', '#78614A'],
  ['#6B5844', '#42352A'],
  ['#8C8274', '#63594C'],
  ['#806A52', '#574637'],
  ['#B8A286', '#8A745A'],
] as const;
/** Minimum OKLab distance between the wood and the product, which would otherwise merge with the floor. */
const apart = 0.05;
/** A wall below this OKLCH lightness is dark. In front of a dark wall, only wood that is also darker than this is used. */
const darkBelow = 0.5;

/**
 * Boards below a chair in front of a light wall: dark brown oak. On paler or grayer boards, the shade below the seat
 * looks like a stain, and the rear legs that the photo hides are missed; even darker boards look murky.
 */
const woodsBelowChair = [
  ['#7C664E', '#544434'],
  ['#866F58', '#5C4B3A'],
  ['#755F4B', '#4F4032'],
] as const;

interface BoardsWish {
  readonly product: Oklch;
  /** OKLCH lightness. */
  readonly wallLightness: number;
  /** Whether the furniture is not as wide as a sofa. */
  readonly isChair: boolean;
  /** The scenes of a list have different turns, and so different boards. */
  readonly turn: number;
}

export function chooseBoards({ product, wallLightness, isChair, turn }: BoardsWish): [string, string] {
  const isDark = wallLightness < darkBelow;
  const suited = isChair && !isDark ? woodsBelowChair : woods;
  const fits = ([wood]: readonly [string, string]): boolean => {
    const color = oklchFromHex(wood);
    return colorDistance(color, product) >= apart && (!isDark || color.l < darkBelow);
  };
  const choices = [suited.filter(fits), woods.filter(fits), suited].find(({ length }) => length > 0)!;
  return [...choices[turn % choices.length]!];
}
