/** For tests: the smallest file accepted as a stored PNG, with a label that identifies it. */
import { crc32 } from 'node:zlib';

export function labelPng(label: string): Buffer {
  const chunk = (type: string, data: string) => {
    const body = Buffer.from(type + data, 'latin1');
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return [around.subarray(0, 4), body, around.subarray(4)];
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, ...chunk('tEXt', label), ...chunk('IEND', '')]);
}
