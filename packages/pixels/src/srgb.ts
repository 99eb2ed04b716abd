/** sRGB and linear light: transfer functions, hex colors and OKLab mixing. */

export type Rgb = readonly [r: number, g: number, b: number];

/** Returns the channels of `#rrggbb`, 0 to 255. */
export function parseHexColor(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Converts a coded value (0 to 1) to linear light (0 to 1), as defined by IEC 61966-2-1. */
export function decodeSrgb(coded: number): number {
  return coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4;
}

/** Linear light of each coded level, 0 to 255. */
export const linearLevels = Float64Array.from({ length: 256 }, (_, level) => decodeSrgb(level / 255));

/** Relative luminance (Rec. 709) of the linear color that starts at `at`; of a coded color, its luma. */
export function luminanceOf(color: ArrayLike<number>, at = 0): number {
  return 0.2126 * color[at]! + 0.7152 * color[at + 1]! + 0.0722 * color[at + 2]!;
}

/** Converts linear light to a coded value, both 0 to 1, as defined by IEC 61966-2-1. Clips other values. */
export function encodeSrgb(linear: number): number {
  if (linear <= 0) return 0;
  if (linear >= 1) return 1;
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

const TABLE_SIZE = 4096;
const encodeTable = Float32Array.from(
  { length: TABLE_SIZE + 2 },
  (_, index) => 255 * encodeSrgb(index / TABLE_SIZE),
);

/** Approximates `255 * encodeSrgb(linear)` by interpolation in a table, with an error of at most 0.3 of a level. */
export function encodeSrgb255(linear: number): number {
  if (linear <= 0) return 0;
  if (linear >= 1) return 255;
  const position = linear * TABLE_SIZE;
  const index = position | 0;
  const low = encodeTable[index]!;
  return low + (encodeTable[index + 1]! - low) * (position - index);
}

/** Returns the channels of `#rrggbb` in linear light, 0 to 1. */
export function linearColor(color: string): Rgb {
  const [r, g, b] = parseHexColor(color);
  return [linearLevels[r]!, linearLevels[g]!, linearLevels[b]!];
}

/** Converts linear sRGB to OKLab (Ottosson 2020, "A perceptual color space for image processing"). */
export function oklabFromLinear([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** OKLab of sRGB levels, 0 to 255. */
export function oklabFromRgb(red: number, green: number, blue: number): Rgb {
  return oklabFromLinear([linearLevels[red]!, linearLevels[green]!, linearLevels[blue]!]);
}

/** The inverse of `oklabFromLinear`. */
export function linearFromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
