/** Adds a color profile to an encoded picture. The encoder accepts no profile with raw pixels. */
import { crc32, deflateSync } from 'node:zlib';

/** Header of a profile chunk: name, chunk number, number of chunks (ICC.1:2022, annex B.4). */
const ICC_HEAD_BYTES = 14;
/** Maximum profile bytes per chunk. A segment's length includes the two bytes of the length itself. */
const MAX_CHUNK = 65_535 - 2 - ICC_HEAD_BYTES;

/** Inserts the profile in chunks of 64 kB after the start marker and the JFIF segment. */
export function embedInJpeg(jpeg: Uint8Array, profile: Uint8Array): Uint8Array {
  const count = Math.ceil(profile.length / MAX_CHUNK);
  const segments = Array.from({ length: count }, (_, index) => {
    const chunk = profile.subarray(index * MAX_CHUNK, (index + 1) * MAX_CHUNK);
    const head = Buffer.alloc(4 + ICC_HEAD_BYTES);
    head.writeUInt16BE(0xffe2, 0);
    head.writeUInt16BE(2 + ICC_HEAD_BYTES + chunk.length, 2);
    head.write('ICC_PROFILE\0', 4, 'latin1');
    head[16] = index + 1;
    head[17] = count;
    return Buffer.concat([head, chunk]);
  });
  const at = jpeg[2] === 0xff && jpeg[3] === 0xe0 ? 4 + ((jpeg[4]! << 8) | jpeg[5]!) : 2;
  return Buffer.concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)]);
}

/** Length of the signature and of IHDR, the first chunk. */
const PNG_HEAD_BYTES = 8 + 25;

/** Inserts the profile as chunk iCCP after IHDR (PNG, 11.3.2.3). */
export function embedInPng(png: Uint8Array, profile: Uint8Array): Uint8Array {
  // The chunk's name, the profile's name with its null terminator, and compression method 0.
  const body = Buffer.concat([Buffer.from('iCCPphoto\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), length, body, check, png.subarray(PNG_HEAD_BYTES)]);
}
