/** Colors as callers write them: 3, 4, 6 or 8 hex digits, with or without `#`, or a CSS color name. */
import colour from '@img/colour';

/** The library's types declare the function as a `default` member, but at run time, the module is the function. */
const parseColor = colour as unknown as typeof colour.default;

/** 0 to 255 each. */
export type Color = readonly [r: number, g: number, b: number, alpha: number];

/** Undefined if the text is not a color. */
export function readColor(text: string): Color | undefined {
  const word = text.trim().toLowerCase();
  const css = /^[0-9a-f]+$/.test(word) ? `#${word}` : word;
  // CSS functions, such as `rgb(…)`, are no colors in these services.
  if (!/^(#[0-9a-f]+|[a-z]+)$/.test(css)) return undefined;
  try {
    const { r = 0, g = 0, b = 0, alpha = 1 } = parseColor(css).object();
    return [r, g, b, Math.round(255 * alpha)];
  } catch {
    return undefined;
  }
}
