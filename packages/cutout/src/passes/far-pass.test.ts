import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { runFarPass } from './far-pass.ts';

/** Dark on the left, bright on the right. */
const photo: RgbImage = {
  width: 60,
  height: 40,
  data: Uint8Array.from({ length: 60 * 40 * 3 }, (_, n) => (Math.floor(n / 3) % 60 < 30 ? 20 : 240)),
};

describe('a pass from further away', () => {
  it('shows the photo smaller, with its border extended on all sides', async () => {
    let seen: RgbImage | null = null;
    await runFarPass(photo, {
      async run(_, wide) {
        seen = wide;
        return { width: 640, height: 640, data: new Uint8Array(640 * 640) };
      },
    });
    const redAt = (x: number, y: number) => seen!.data[(y * 640 + x) * 3];
    expect([seen!.width, seen!.height]).toEqual([640, 640]);
    expect([redAt(5, 5), redAt(635, 5), redAt(5, 635), redAt(635, 635)]).toEqual([20, 240, 20, 240]);
    expect([redAt(200, 320), redAt(460, 320)]).toEqual([20, 240]);
  });

  it('returns a matte of the photo alone, at any engine resolution', async () => {
    const side = 80;
    const data = Uint8Array.from({ length: side * side }, (_, i) => (i % side >= 40 ? 255 : 0));
    const matte = await runFarPass(photo, { run: async () => ({ width: side, height: side, data }) });
    expect([matte.width, matte.height]).toEqual([64, 64]);
    expect([matte.data[31], matte.data[32]]).toEqual([0, 255]);
  });
});
