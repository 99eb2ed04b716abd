/** Plain tables for people, at most 120 columns wide, and numbers in words; programs use --json. */

type Cell = string | number | undefined;

const maxWidth = 120;
/** The length of an id: words of up to this length are never truncated. */
const uncutWidth = 26;
const gap = '  ';

interface Printing<T> {
  readonly json?: boolean | undefined;
  /** What to print instead of a table without rows. */
  readonly none: string;
  readonly toRow: (row: T) => Readonly<Record<string, Cell>>;
}

export function printRows<T>(rows: readonly T[], { json, none, toRow }: Printing<T>): void {
  if (json) console.log(JSON.stringify(rows, null, 2));
  else console.log(rows.length === 0 ? none : formatTable(rows.map(toRow)));
}

/** Prints a new secret to stdout and facts for people to stderr; with `json`, prints only the JSON. */
export function printSecret(secret: string, facts: string, json: object | false | undefined): void {
  console.log(json ? JSON.stringify(json, null, 2) : secret);
  if (!json) console.error(`Shown only once. ${facts}`);
}

/** Columns are the keys of the rows; columns that are empty in every row are omitted. */
export function formatTable(rows: readonly Readonly<Record<string, Cell>>[]): string {
  const names = Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => toText(row[name]) !== ''));
  const isNumeric = names.map((name) => rows.every((row) => typeof row[name] === 'number'));
  const table = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => toText(row[name]))),
  ];
  const widths = findWidths(names.map((_, column) => table.map((row) => row[column]!)));
  return table
    .flatMap((row) => {
      const cells = row.map((text, column) => wrap(text, widths[column]!));
      const height = Math.max(...cells.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        cells
          .map((lines, column) => {
            const text = lines[line] ?? '';
            return isNumeric[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
          })
          .join(gap)
          .trimEnd(),
      );
    })
    .join('\n');
}

const toText = (cell: Cell): string => (cell === undefined ? '' : String(cell));
const longest = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));

/**
 * Finds the columns' widths. If the table is too wide, narrows the columns with the most spare width first: down to
 * their longest word, so that text wraps between words, and then, if necessary, down to the length of an id, so that
 * longer words are truncated.
 */
function findWidths(columns: readonly (readonly string[])[]): number[] {
  const widths = columns.map(longest);
  const words = columns.map((texts) => longest(texts.flatMap((text) => text.split(' '))));
  const available = maxWidth - gap.length * (columns.length - 1);
  for (const least of [words, words.map((width) => Math.min(width, uncutWidth))]) {
    for (;;) {
      const excess = widths.reduce((sum, width) => sum + width, 0) - available;
      const spare = widths.map((width, column) => width - least[column]!);
      const widest = spare.indexOf(Math.max(...spare));
      if (excess <= 0 || spare[widest]! <= 0) break;
      widths[widest]!--;
    }
  }
  return widths;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const cut = word.length > width ? `${word.slice(0, width - 1)}…` : word;
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + cut.length <= width)
      lines[lines.length - 1] = `${line} ${cut}`;
    else lines.push(cut);
  }
  return lines;
}

/** The day of a time, in UTC. */
export const toDay = (time: Date | number): string => new Date(time).toISOString().slice(0, 10);
/** A time to the minute, in UTC. */
export const toMinute = (time: Date | number | string): string =>
  new Date(time).toISOString().slice(0, 16).replace('T', ' ');

export const showCount = (count: number): string => count.toLocaleString('en-US');

export const showNumberOf = (count: number, noun: string): string =>
  `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Decimal units (1 kB = 1,000 bytes), like those of disk vendors and cloud billing. */
export function showBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
