/** Removes the density that the encoder writes into PNGs: 1 pixel per millimeter, which printers take for 25 dpi. */

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk (PNG, third edition, 5.3). */
const FRAME_BYTES = 12;

export function dropDensity(png: Buffer): Buffer {
  for (let from = SIGNATURE_BYTES; from + FRAME_BYTES <= png.length; ) {
    const type = png.toString('latin1', from + 4, from + 8);
    if (type === 'IDAT') break;
    const to = from + FRAME_BYTES + png.readUInt32BE(from);
    if (type === 'pHYs') return Buffer.concat([png.subarray(0, from), png.subarray(to)]);
    from = to;
  }
  return png;
}
