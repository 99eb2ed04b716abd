/** Progress on a terminal: one line that is written over, below the lines that stay. Elsewhere, only the latter. */

export type Words = Pick<NodeJS.WriteStream, 'write' | 'isTTY'> & { readonly columns?: number };

/** Faster updates would be unreadable. */
const redrawMs = 100;
const erase = '\r\x1b[K';

export function createProgressLine(
  words: Words,
  { isLive = words.isTTY === true, clock = () => performance.now() } = {},
) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    /** `isNew`: draw it even if the line was drawn a moment ago. */
    draw(text: string, isNew = false): void {
      if (!isLive || (!isNew && clock() - drawnAt < redrawMs)) return;
      drawnAt = clock();
      words.write(erase + text.slice(0, Math.max(20, (words.columns || 80) - 1)));
    },
    say(...lines: readonly string[]): void {
      words.write(`${isLive ? erase : ''}${lines.join('\n')}\n`);
      drawnAt = Number.NEGATIVE_INFINITY;
    },
    clear(): void {
      if (isLive) words.write(erase);
    },
  };
}
