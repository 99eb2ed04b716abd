/** How threads share the rows of a pass: small batches from one counter, so that nobody waits for a slow row. */

/** In shared memory, one for each pass of each picture: whoever comes late finds nothing left, and disturbs no other pass. */
export interface RowControl {
  /** The next row to hand out, how many threads are at work, and whether one of them has failed. */
  readonly counts: Int32Array;
  readonly rows: number;
}

/** Rows a batch: an aborted render ends within one, at 1600 px some 10 ms. */
const ROWS_A_BATCH = 8;
const NEXT = 0;
const BUSY = 1;
const FAILED = 2;

export function makeRowControl(rows: number): RowControl {
  return { counts: new Int32Array(new SharedArrayBuffer(12)), rows };
}

/** Does one batch; false when there is none left. */
export function drawBatch(
  { counts, rows }: RowControl,
  draw: (fromRow: number, toRow: number) => void,
): boolean {
  // At work before taking a row: who finds all rows taken and nobody at work can rely on the pass being done.
  Atomics.add(counts, BUSY, 1);
  try {
    const from = Atomics.add(counts, NEXT, ROWS_A_BATCH);
    if (from >= rows) {
      return false;
    }
    draw(from, Math.min(rows, from + ROWS_A_BATCH));
    return true;
  } catch (failure) {
    Atomics.store(counts, FAILED, 1);
    throw failure;
  } finally {
    Atomics.sub(counts, BUSY, 1);
  }
}

/** Nobody gets another row. */
export function stopRows({ counts, rows }: RowControl): void {
  Atomics.store(counts, NEXT, rows);
}

export function isAtWork({ counts }: RowControl): boolean {
  return Atomics.load(counts, BUSY) > 0;
}

export function hasFailed({ counts }: RowControl): boolean {
  return Atomics.load(counts, FAILED) === 1;
}
