/** Reads the files of a ZIP without compression (method 0, "stored") from its local headers (APPNOTE 6.3, 4.3.7). */
export function readStoredZip(zip: Buffer): { name: string; method: number; bytes: Buffer }[] {
  const files = [];
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const method = zip.readUInt16LE(at + 8);
    const size = zip.readUInt32LE(at + 18);
    const nameEnd = at + 30 + zip.readUInt16LE(at + 26);
    const start = nameEnd + zip.readUInt16LE(at + 28);
    files.push({
      name: zip.toString('latin1', at + 30, nameEnd),
      method,
      bytes: zip.subarray(start, start + size),
    });
    at = start + size;
  }
  return files;
}
