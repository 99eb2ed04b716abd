/** Progress of an export or import: one line on a terminal, nothing elsewhere. */

type Words = Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;

/** Minimum interval between updates of the line; faster updates would be unreadable. */
const redrawMs = 100;

export function createTransferReport(words: Words, clock: () => number) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    onProgress(step: string, done: number): void {
      if (!words.isTTY || clock() - drawnAt < redrawMs) return;
      drawnAt = clock();
      words.write(`\r\x1b[K${step}  ${showCount(done)}`);
    },
    /** Prints lines that stay on the screen, unlike the progress line. */
    say(...lines: readonly string[]): void {
      words.write(`${words.isTTY ? '\r\x1b[K' : ''}${lines.join('\n')}\n`);
    },
  };
}

export const showCount = (count: number): string => count.toLocaleString('en-US');

export const showNumberOf = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Decimal units (1 kB = 1,000 bytes), like those of disk vendors and cloud billing. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
