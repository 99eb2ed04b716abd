/**
 * Distributes the rows of a pass among threads. Each thread takes small batches from an atomic counter, so that slow
 * rows do not hold up the other threads.
 */

/**
 * State of one pass of one picture, in shared memory. Each pass has its own, so that a thread that is late finds no
 * rows left and cannot disturb another pass.
 */
export interface RowControl {
  /** Three counters: the next row to assign, the number of busy threads, and 1 if a thread has failed. */
  readonly counts: Int32Array;
  readonly rows: number;
}

/** Rows per batch. An abort waits for the batches in progress: about 10 ms in a picture of 1600 px. */
const BATCH_ROWS = 8;
const NEXT = 0;
const BUSY = 1;
const FAILED = 2;

export function makeRowControl(rows: number): RowControl {
  return { counts: new Int32Array(new SharedArrayBuffer(12)), rows };
}

/** Draws one batch; returns false if none is left. */
export function drawBatch(
  { counts, rows }: RowControl,
  draw: (fromRow: number, toRow: number) => void,
): boolean {
  // Count as busy before taking rows: the pass is complete when all rows are taken and no thread is busy.
  Atomics.add(counts, BUSY, 1);
  try {
    const from = Atomics.add(counts, NEXT, BATCH_ROWS);
    if (from >= rows) {
      return false;
    }
    draw(from, Math.min(rows, from + BATCH_ROWS));
    return true;
  } catch (failure) {
    Atomics.store(counts, FAILED, 1);
    throw failure;
  } finally {
    Atomics.sub(counts, BUSY, 1);
  }
}

/** Prevents further rows from being assigned. */
export function stopRows({ counts, rows }: RowControl): void {
  Atomics.store(counts, NEXT, rows);
}

export function isAtWork({ counts }: RowControl): boolean {
  return Atomics.load(counts, BUSY) > 0;
}

export function hasFailed({ counts }: RowControl): boolean {
  return Atomics.load(counts, FAILED) === 1;
}
