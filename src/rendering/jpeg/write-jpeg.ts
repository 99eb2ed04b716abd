/** Writes `BlockRows` as a baseline JPEG file (ITU-T T.81; JFIF 1.02), 4:4:4, with optimal Huffman tables. */
import { type HuffmanTable, makeHuffmanTable } from './huffman.ts';
import type { BlockRows } from './kernels.ts';

export interface JpegParts {
  readonly width: number;
  readonly height: number;
  /** All rows of the picture must have been pushed. */
  readonly rows: BlockRows;
  /** Quantization steps of Y and of the two chroma planes, 1 to 255, row-major. */
  readonly steps: readonly [luma: Uint8Array, chroma: Uint8Array];
}

/** Natural position of the n-th coefficient in zigzag order (figure A.6). */
const zigzag = Uint8Array.from([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
]);

export function writeJpeg(parts: JpegParts): Buffer {
  const counts = parts.rows.counts.slice();
  const tables = [0, 1, 2, 3].map((n) => makeHuffmanTable(counts.subarray(256 * n, 256 * (n + 1))));
  const codes = new Uint32Array(1024);
  let bits = 0;
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    const table = tables[i >> 8]!;
    const symbol = i & 255;
    // The low four bits of a symbol, for DC and AC alike, are the number of value bits that follow.
    const valueBits = symbol & 15;
    const length = table.lengths[symbol]! + valueBits;
    codes[i] = (table.codes[symbol]! << (valueBits + 5)) | length;
    bits += count * length;
  }
  const body = parts.rows.finish(codes, Math.ceil(bits / 8));
  return Buffer.concat([writeHeaders(parts, tables), body, Buffer.from([0xff, 0xd9])]);
}

function toZigzag(steps: Uint8Array): Uint8Array {
  return zigzag.map((natural) => steps[natural]!);
}

function writeHeaders({ width, height, steps }: JpegParts, tables: readonly HuffmanTable[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0xff, 0xd8])];
  const segment = (marker: number, ...body: (Uint8Array | number[])[]): void => {
    const content = Buffer.concat(body.map((part) => Buffer.from(part)));
    const length = content.length + 2;
    parts.push(Buffer.from([0xff, marker, length >> 8, length & 255]), content);
  };
  // JFIF 1.02, no density (aspect ratio 1:1), no thumbnail.
  segment(0xe0, Buffer.from('JFIF\0', 'latin1'), [1, 2, 0, 0, 1, 0, 1, 0, 0]);
  segment(0xdb, [0], toZigzag(steps[0]));
  segment(0xdb, [1], toZigzag(steps[1]));
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  segment(0xc0, [8, ...size, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]);
  for (const [n, { counts, symbols }] of tables.entries()) {
    // Table class (0 for DC, 1 for AC) and table number, four bits each.
    segment(0xc4, [((n & 1) << 4) | (n >> 1)], counts, symbols);
  }
  segment(0xda, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]);
  return Buffer.concat(parts);
}
