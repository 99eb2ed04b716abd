import { describe, expect, it } from 'vitest';
import { splitAlpha } from './photo-alpha.ts';

const WIDTH = 300;
const HEIGHT = 200;

function photo(alphaAt: (x: number, y: number) => number) {
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(90);
  for (let i = 0; i < WIDTH * HEIGHT; i++)
    data[4 * i + 3] = alphaAt((i % WIDTH) + 0.5, Math.floor(i / WIDTH) + 0.5);
  return { width: WIDTH, height: HEIGHT, data };
}

/** Alpha from a distance: 255 inside, soft over `soft` pixels. */
const within = (distance: number, soft = 1) => Math.round(255 * Math.min(1, Math.max(0, -distance / soft)));

function turned(degrees: number) {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return (x: number, y: number) => {
    const [dx, dy] = [x - WIDTH / 2, y - HEIGHT / 2];
    const across = Math.abs(dx * cos + dy * sin) - WIDTH / 2;
    return within(Math.max(across, Math.abs(dy * cos - dx * sin) - HEIGHT / 2));
  };
}

function rounded(radius: number, margin = 0) {
  return (x: number, y: number) => {
    const dx = Math.abs(x - WIDTH / 2) - (WIDTH / 2 - margin - radius);
    const dy = Math.abs(y - HEIGHT / 2) - (HEIGHT / 2 - margin - radius);
    return within(Math.hypot(Math.max(0, dx), Math.max(0, dy)) - radius);
  };
}

const pictures = {
  'a picture straightened by 1°': turned(1),
  'a picture straightened by 6°': turned(6),
  'rounded corners': rounded(40),
  'a transparent margin': (x: number, y: number) => (x > 30 && x < 270 && y > 20 && y < 180 ? 255 : 0),
  'a rounded picture in a margin': rounded(25, 30),
  'an oval picture': (x: number, y: number) =>
    within(200 * (Math.hypot((x - 150) / 150, (y - 100) / 100) - 1)),
  'a soft vignette': (x: number, y: number) =>
    within(200 * (Math.hypot((x - 150) / 170, (y - 100) / 115) - 1), 120),
  'a stray transparent pixel': (x: number, y: number) => (Math.hypot(x - 150, y - 100) < 1 ? 0 : 255),
};

const products = {
  'a mug with a handle': (x: number, y: number) =>
    (x > 60 && x < 160 && y > 40 && y < 180) || Math.abs(Math.hypot(x - 160, y - 110) - 40) < 8 ? 255 : 0,
  'a bottle': (x: number, y: number) => (Math.abs(x - 150) < (y < 70 ? 14 : 45) && y > 10 ? 255 : 0),
  'two boxes': (x: number, y: number) =>
    y > 60 && y < 160 && Math.abs(x - 150) > 30 && Math.abs(x - 150) < 120 ? 255 : 0,
  'a ring': (x: number, y: number) => (Math.abs(Math.hypot(x - 150, y - 100) - 60) < 25 ? 255 : 0),
};

describe("a photo's own transparency", () => {
  it.each(Object.entries(pictures))('is no cutout if it is %s, and stays transparent', (_, alphaAt) => {
    const sent = photo(alphaAt);
    const { alpha, clip, data } = splitAlpha(sent, 'auto');
    expect(alpha).toBeNull();
    expect(clip).toEqual(sent.data.filter((_, i) => i % 4 === 3));
    const clear = clip!.indexOf(0);
    expect(data[3 * clear]).toBe(255);
    expect(data[3 * clip!.indexOf(255)]).toBe(90);
  });

  it.each(Object.entries(products))('is the cutout if it has the shape of %s', (_, alphaAt) => {
    expect(splitAlpha(photo(alphaAt), 'auto')).toMatchObject({ alpha: expect.any(Uint8Array), clip: null });
  });

  it('is nothing if no pixel is transparent, or all are equally so', () => {
    for (const alpha of [255, 200])
      expect(
        splitAlpha(
          photo(() => alpha),
          'auto',
        ),
      ).toMatchObject({ alpha: null, clip: null });
  });

  it('is always a cutout with `keep`, and never with `ignore`', () => {
    expect(splitAlpha(photo(rounded(40)), 'keep').alpha).not.toBeNull();
    const ignored = splitAlpha(photo(products['a ring']), 'ignore');
    expect(ignored.alpha).toBeNull();
    expect(ignored.clip).not.toBeNull();
  });
});
