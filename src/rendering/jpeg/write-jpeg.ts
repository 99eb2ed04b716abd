/** Quantised coefficients become a baseline JPEG file (ITU-T T.81; JFIF 1.02), 4:4:4, with Huffman tables of its own. */
import { type HuffmanTable, makeHuffmanTable } from './huffman.ts';

export interface JpegCoefficients {
  readonly width: number;
  readonly height: number;
  /** Y, Cb, Cr: 64 a block in zigzag order, blocks row by row over the picture rounded up to whole blocks. */
  readonly planes: readonly [Int16Array, Int16Array, Int16Array];
  /** Steps for Y and for both chroma planes, 1 to 255, in zigzag order. */
  readonly steps: readonly [luma: Uint8Array, chroma: Uint8Array];
}

/** Natural position of the n-th coefficient in zigzag order (figure A.6). */
export const zigzag = Uint8Array.from([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

export function writeJpeg(image: JpegCoefficients): Buffer {
  const dc = [new Uint32Array(256), new Uint32Array(256)];
  const ac = [new Uint32Array(256), new Uint32Array(256)];
  scanSymbols(image, (table, isDc, symbol) => {
    const counts = (isDc ? dc : ac)[table]!;
    counts[symbol] = counts[symbol]! + 1;
  });
  const dcTables = dc.map(makeHuffmanTable);
  const acTables = ac.map(makeHuffmanTable);
  const bits = new BitWriter(image.width * image.height);
  scanSymbols(image, (table, isDc, symbol, value, size) => {
    const huffman = (isDc ? dcTables : acTables)[table]!;
    bits.write(huffman.codes[symbol]!, huffman.lengths[symbol]!);
    if (size > 0) {
      bits.write(value < 0 ? value + (1 << size) - 1 : value, size);
    }
  });
  return Buffer.concat([writeHeaders(image, dcTables, acTables), bits.end(), Buffer.from([0xff, 0xd9])]);
}

type Emit = (table: 0 | 1, isDc: boolean, symbol: number, value: number, size: number) => void;

function scanSymbols({ planes }: JpegCoefficients, emit: Emit): void {
  const blocks = planes[0].length / 64;
  const previous = [0, 0, 0];
  for (let block = 0; block < blocks; block++) {
    for (let plane = 0; plane < 3; plane++) {
      const data = planes[plane]!;
      const table = plane === 0 ? 0 : 1;
      const at = 64 * block;
      const difference = data[at]! - previous[plane]!;
      previous[plane] = data[at]!;
      const size = bitSize(difference);
      emit(table, true, size, difference, size);
      scanAc(data, at, table, emit);
    }
  }
}

function scanAc(data: Int16Array, at: number, table: 0 | 1, emit: Emit): void {
  let last = 63;
  while (last > 0 && data[at + last] === 0) {
    last--;
  }
  let run = 0;
  for (let k = 1; k <= last; k++) {
    const value = data[at + k]!;
    if (value === 0) {
      run++;
      continue;
    }
    while (run > 15) {
      emit(table, false, 0xf0, 0, 0);
      run -= 16;
    }
    const size = bitSize(value);
    emit(table, false, (run << 4) | size, value, size);
    run = 0;
  }
  if (last < 63) {
    emit(table, false, 0, 0, 0);
  }
}

function bitSize(value: number): number {
  return 32 - Math.clz32(value < 0 ? -value : value);
}

class BitWriter {
  #bytes: Buffer;
  #length = 0;
  #pending = 0;
  #pendingBits = 0;

  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes + 1024);
  }

  /** At most 16 bits. */
  write(value: number, count: number): void {
    this.#pending = (this.#pending << count) | value;
    this.#pendingBits += count;
    while (this.#pendingBits >= 8) {
      this.#pendingBits -= 8;
      this.#push((this.#pending >>> this.#pendingBits) & 255);
    }
    this.#pending &= (1 << this.#pendingBits) - 1;
  }

  end(): Buffer {
    if (this.#pendingBits > 0) {
      const fill = 8 - this.#pendingBits;
      this.write((1 << fill) - 1, fill);
    }
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)]);
    }
    this.#bytes[this.#length++] = byte;
    if (byte === 0xff) {
      // A data byte of all ones is followed by a stuffed zero (B.1.1.5).
      this.#bytes[this.#length++] = 0;
    }
  }
}

function writeHeaders(
  { width, height, steps }: JpegCoefficients,
  dcTables: readonly HuffmanTable[],
  acTables: readonly HuffmanTable[],
): Buffer {
  const parts: Buffer[] = [Buffer.from([0xff, 0xd8])];
  const segment = (marker: number, ...body: (Uint8Array | number[])[]): void => {
    const content = Buffer.concat(body.map((part) => Buffer.from(part)));
    const length = content.length + 2;
    parts.push(Buffer.from([0xff, marker, length >> 8, length & 255]), content);
  };
  // JFIF 1.02, no density (1:1), no thumbnail.
  segment(0xe0, Buffer.from('JFIF\0', 'latin1'), [1, 2, 0, 0, 1, 0, 1, 0, 0]);
  segment(0xdb, [0], steps[0]);
  segment(0xdb, [1], steps[1]);
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  segment(0xc0, [8, ...size, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]);
  for (const table of [0, 1]) {
    segment(0xc4, [table], dcTables[table]!.counts, dcTables[table]!.symbols);
    segment(0xc4, [0x10 | table], acTables[table]!.counts, acTables[table]!.symbols);
  }
  segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
  return Buffer.concat(parts);
}
