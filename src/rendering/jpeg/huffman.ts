/** Optimal Huffman tables for JPEG: ITU-T T.81, annexes K.2 (code lengths) and C (codes). */

export interface HuffmanTable {
  /** Number of codes of each length from 1 to 16. */
  readonly counts: Uint8Array;
  /** Symbols in the order of their codes. */
  readonly symbols: Uint8Array;
  /** Code of each symbol; `lengths` has its length in bits, 0 if the symbol is unused. */
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

const MAX_LENGTH = 16;

/** `frequencies`: occurrences of each of the 256 symbols. */
export function makeHuffmanTable(frequencies: Uint32Array): HuffmanTable {
  const counts = limitLengths(countLengths(frequencies));
  const present = Array.from(frequencies.keys()).filter((symbol) => frequencies[symbol]! > 0);
  const symbols = Uint8Array.from(present.sort((a, b) => frequencies[b]! - frequencies[a]! || a - b));
  const codes = new Uint16Array(256);
  const lengths = new Uint8Array(256);
  let code = 0;
  let next = 0;
  for (let length = 1; length <= MAX_LENGTH; length++) {
    for (let i = 0; i < counts[length - 1]!; i++) {
      const symbol = symbols[next++]!;
      codes[symbol] = code++;
      lengths[symbol] = length;
    }
    code <<= 1;
  }
  return { counts, symbols, codes, lengths };
}

/**
 * Returns the number of codes of each length, by Huffman's algorithm. An additional symbol, number 256, has the least
 * weight, so that it gets the code of all ones, which JPEG does not allow for real symbols.
 */
function countLengths(frequencies: Uint32Array): number[] {
  interface Node {
    readonly weight: number;
    readonly leaves: readonly number[];
  }
  const lengths = new Array<number>(257).fill(0);
  let nodes: Node[] = [{ weight: 0.5, leaves: [256] }];
  for (const [symbol, weight] of frequencies.entries()) {
    if (weight > 0) nodes.push({ weight, leaves: [symbol] });
  }
  while (nodes.length > 1) {
    nodes = nodes.sort((a, b) => a.weight - b.weight);
    const [a, b] = [nodes[0]!, nodes[1]!];
    const leaves = [...a.leaves, ...b.leaves];
    for (const leaf of leaves) lengths[leaf] = lengths[leaf]! + 1;
    nodes = [{ weight: a.weight + b.weight, leaves }, ...nodes.slice(2)];
  }
  const counts = new Array<number>(258).fill(0);
  for (const length of lengths) {
    if (length > 0) counts[length] = counts[length]! + 1;
  }
  return counts;
}

/** Shortens codes of more than 16 bits (figure K.3) and removes the code of symbol 256. */
function limitLengths(counts: number[]): Uint8Array {
  for (let length = counts.length - 1; length > MAX_LENGTH; length--) {
    while (counts[length]! > 0) {
      let shorter = length - 2;
      while (counts[shorter]! === 0) shorter--;
      counts[length] = counts[length]! - 2;
      counts[length - 1] = counts[length - 1]! + 1;
      counts[shorter + 1] = counts[shorter + 1]! + 2;
      counts[shorter] = counts[shorter]! - 1;
    }
  }
  let longest = MAX_LENGTH;
  while (longest > 0 && counts[longest]! === 0) longest--;
  counts[longest] = counts[longest]! - 1;
  return Uint8Array.from(counts.slice(1, MAX_LENGTH + 1));
}
