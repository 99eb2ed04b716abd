/** Writes EXIF blocks for tests, well-formed or not. */
export type ExifEntry = readonly [
  tag: number,
  value: Buffer | number,
  claims?: { length?: number; at?: number },
];

/** An EXIF block with one directory, or with two if an entry points to the second. Texts are stored at the end. */
export function exifBlock(directories: readonly (readonly ExifEntry[])[], little = true): Buffer {
  const head = Buffer.alloc(8 + directories.reduce((sum, { length }) => sum + 6 + 12 * length, 0));
  const texts: Buffer[] = [];
  const u16 = (value: number, at: number) =>
    little ? head.writeUInt16LE(value, at) : head.writeUInt16BE(value, at);
  const u32 = (value: number, at: number) =>
    little ? head.writeUInt32LE(value, at) : head.writeUInt32BE(value, at);
  head.write(little ? 'II' : 'MM', 'latin1');
  u16(42, 2);
  u32(8, 4);
  let at = 8;
  let textAt = head.length;
  for (const entries of directories) {
    u16(entries.length, at);
    at += 2;
    for (const [tag, value, claims] of entries) {
      const isText = typeof value !== 'number';
      u16(tag, at);
      u16(isText ? 2 : 4, at + 2);
      u32(claims?.length ?? (isText ? value.length : 1), at + 4);
      if (isText && value.length <= 4) value.copy(head, at + 8);
      else u32(claims?.at ?? (isText ? textAt : value), at + 8);
      if (isText && value.length > 4) {
        texts.push(value);
        textAt += value.length;
      }
      at += 12;
    }
    at += 4;
  }
  return Buffer.concat([head, ...texts]);
}
