/** How exports and imports print counts and sizes. */

export const showCount = (count: number): string => count.toLocaleString('en-US');

export const showNumberOf = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Decimal units (1 kB = 1,000 bytes), like those of disk vendors and cloud billing. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
