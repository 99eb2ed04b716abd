/**
 * The entropy coder's two passes (ITU-T T.81, F.1.2). The first converts coefficients to tokens, one per
 * code, and counts their symbols. The second writes the tokens' bits, once the codes have been derived from
 * the counts.
 */

/**
 * Number of symbols: 256 in each of four tables, which are 0 luma DC, 1 luma AC, 2 chroma DC, and 3 chroma AC.
 * A token has 32 bits: the upper 16 are the value, the lower 16 are 256 * table + the symbol within the table.
 */
const SYMBOLS: u32 = 1024;

/** Occurrences of each symbol, 32 bits. */
export const counts: usize = memory.data(4096, 16);

/**
 * For each symbol, `(code << valueBits) * 32 + bits`, where `bits` counts the bits of the code and of its
 * value. The code has at most 16 bits, the value at most 11, and `bits` at most 5.
 */
export const codes: usize = memory.data(4096, 16);

/** DC of the previous block, one per plane. */
const previousDc: usize = memory.data(16, 16);

/** Runs of sixteen zeros, which have their own code, and the end of a block. */
const ZERO_RUN: u32 = 0xf0;
const END: u32 = 0;

export function resetTokens(): void {
  memory.fill(counts, 0, 4 * SYMBOLS);
  memory.fill(previousDc, 0, 16);
}

/**
 * Converts one block of a plane (0, 1 or 2) to tokens. `zigzagged` has 64 coefficients of 16 bits in zigzag
 * order; only those whose bit in `present` is set are read.
 * Writes at most 64 tokens at `at`; returns the address after the last one.
 */
export function pushBlock(at: usize, plane: usize, zigzagged: usize, present: u64): usize {
  const table: u32 = plane === 0 ? 0 : 512;
  const dc: i32 = present & 1 ? load<i16>(zigzagged) : 0;
  let next = push(at, table, 0, dc - load<i32>(previousDc + 4 * plane));
  store<i32>(previousDc + 4 * plane, dc);
  let ahead = 1;
  for (let rest = present & ~1; rest !== 0; rest &= rest - 1) {
    const k = i32(ctz(rest));
    for (; k - ahead > 15; ahead += 16) next = push(next, table + 256, ZERO_RUN, 0);
    next = push(next, table + 256, (k - ahead) << 4, load<i16>(zigzagged + 2 * k));
    ahead = k + 1;
  }
  return ahead < 64 ? push(next, table + 256, END, 0) : next;
}

function push(at: usize, table: u32, run: u32, value: i32): usize {
  // A negative value is written as the ones' complement of its magnitude (F.1.2.1), in as many bits as the magnitude.
  const size: u32 = 32 - clz(abs(value));
  const bits: u32 = u32(value + (value >> 31)) & ((1 << size) - 1);
  const symbol = table + run + size;
  const count = counts + 4 * symbol;
  store<u32>(count, load<u32>(count) + 1);
  store<u32>(at, (bits << 16) | symbol);
  return at + 4;
}

/**
 * Writes the bits of the tokens between `from` and `to`. Returns the end of the output. The output has at most twice
 * the bytes that the codes and their values fill, because a zero may be stuffed after each byte.
 */
export function writeBits(from: usize, to: usize, target: usize): usize {
  let pending: u64 = 0;
  let pendingBits: u32 = 0;
  let end = target;
  for (let at = from; at < to; at += 4) {
    const token = load<u32>(at);
    const code = load<u32>(codes + 4 * usize(token & (SYMBOLS - 1)));
    const length = code & 31;
    pending = (pending << length) | ((code >> 5) | (token >> 16));
    pendingBits += length;
    if (pendingBits >= 32) {
      pendingBits -= 32;
      end = writeWord(end, u32(pending >> pendingBits));
    }
  }
  // The last byte is filled with ones (F.1.2.3).
  const fill = -pendingBits & 7;
  pending = (pending << fill) | ((1 << fill) - 1);
  for (let left = pendingBits + fill; left > 0; left -= 8) {
    end = writeByte(end, u32(pending >> (left - 8)) & 255);
  }
  return end;
}

function writeWord(end: usize, word: u32): usize {
  // A byte of all ones is zero in the complement; this test finds it in all four bytes at once.
  const inverted = ~word;
  if (((inverted - 0x01010101) & word & 0x80808080) === 0) {
    store<u32>(end, bswap(word));
    return end + 4;
  }
  let next = end;
  for (let shift = 24; shift >= 0; shift -= 8) next = writeByte(next, (word >> shift) & 255);
  return next;
}

function writeByte(end: usize, byte: u32): usize {
  store<u8>(end, byte);
  if (byte !== 255) return end + 1;
  // A data byte of all ones is followed by a stuffed zero (B.1.1.5).
  store<u8>(end, 0, 1);
  return end + 2;
}
