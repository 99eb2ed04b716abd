/** Copies a file without some of its parts; returns the file itself if every part is kept. */

export interface Span {
  readonly from: number;
  /** Exclusive end of the span, at most the file's length. */
  readonly to: number;
  readonly keep: boolean;
}

/** `spans` are in file order; bytes between them are dropped. */
export function keepSpans(bytes: Uint8Array, spans: Iterable<Span>): Uint8Array {
  let kept: Uint8Array | undefined;
  let length = 0;
  // Start of the kept bytes that have not been copied yet. Adjacent kept spans, even a million of them, are copied in
  // one step.
  let runFrom = 0;
  let runTo = 0;
  const flush = () => {
    kept ??= new Uint8Array(bytes.byteLength);
    kept.set(bytes.subarray(runFrom, runTo), length);
    length += runTo - runFrom;
  };
  for (const { from, to, keep } of spans) {
    if (!keep) continue;
    if (from !== runTo) {
      flush();
      runFrom = from;
    }
    runTo = to;
  }
  if (!kept && runFrom === 0 && runTo === bytes.byteLength) return bytes;
  if (!kept) return bytes.subarray(runFrom, runTo);
  flush();
  return kept.subarray(0, length);
}
