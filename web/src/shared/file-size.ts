/** File sizes as text for users. */

/** The size in kB or MB (decimal units, as in file managers). */
export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
