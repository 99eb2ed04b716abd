/** Tests every rule of every marketplace at its limit and just outside it, on generated pictures. */
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { judgePicture } from './judge-picture.ts';
import { type MarketplaceId, marketplaces, type Rule } from './marketplaces.ts';
import { measurePicture, type PictureMeasures } from './measure-picture.ts';

const limits = { maxBytes: 1e9, maxPixels: 1e9, maxAvifPixels: 1e9, minSidePx: 1, maxSidePx: 16_383 };

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly level: number;
}

interface Canvas {
  readonly width?: number;
  readonly height?: number;
  readonly level?: number;
  readonly rects?: readonly Rect[];
  readonly save?: (image: Sharp) => Promise<Buffer>;
}

interface Case {
  readonly name: string;
  /** Identifies the picture, which is measured once for all marketplaces. */
  readonly key: string;
  readonly make: () => Promise<Buffer>;
  readonly outcome: 'passes' | 'fails';
}

/** Draws rectangles on white, or on another level of gray. */
async function draw({ width = 200, height = 200, level = 255, rects = [], save }: Canvas): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3, level);
  for (const rect of rects) {
    for (let y = rect.y; y < rect.y + rect.height; y++) {
      const from = (y * width + rect.x) * 3;
      data.fill(rect.level, from, from + rect.width * 3);
    }
  }
  const image = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false });
  return save ? save(image) : image.png({ compressionLevel: 1 }).toBuffer();
}

const patch = (x: number, y: number, width: number, height: number, level: number): Rect => {
  return { x, y, width, height, level };
};
const product = (width: number, height: number, x: number, y: number) => patch(x, y, width, height, 90);
const centered = (side: number) => patch(80, 80, side, side, 90);

/** A JPEG with exactly this many bytes, padded with comments. */
async function ofBytes(bytes: number): Promise<Buffer> {
  const jpeg = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer();
  const parts = [jpeg.subarray(0, 2)];
  for (let left = bytes - jpeg.length; left > 0; ) {
    // A comment has at least four bytes, and the padding must fill the file exactly.
    const size = left <= 65_537 ? left : Math.min(65_537, left - 4);
    const comment = Buffer.alloc(size, 32);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(size - 2, 2);
    parts.push(comment);
    left -= size;
  }
  return Buffer.concat([...parts, jpeg.subarray(2)]);
}

async function animation(frames: number): Promise<Buffer> {
  const pictures = await Promise.all(
    ['white', 'red', 'blue'].slice(0, frames).map((background) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  if (frames === 1) return sharp(pictures[0]).gif().toBuffer();
  return sharp(pictures, { join: { animated: true } })
    .gif()
    .toBuffer();
}

const marked = (type: string) => (image: Sharp) =>
  image
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${type}"/></rdf:RDF></x:xmpmeta>`,
    )
    .jpeg()
    .toBuffer();

const blurred = (sigma: number) => (image: Sharp) => image.blur(sigma).png().toBuffer();

const blank = () =>
  sharp({ create: { width: 200, height: 200, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer();
const scene: Canvas = {
  rects: Array.from({ length: 20 }, (_, i) => patch(i * 10, 0, 10, 200, i * 12)),
};
const mixed = [centered(80), patch(20, 20, 6, 6, 90)];

/** Generates pictures with a given value of each measure. */
const makers: Readonly<Record<string, (value: number) => Canvas>> = {
  longestSidePx: (value) => ({ width: value, height: 40 }),
  shortestSidePx: (value) => ({ width: value, height: value + 2 }),
  widthPx: (value) => ({ width: value, height: 40 }),
  heightPx: (value) => ({ width: 40, height: value }),
  megapixels: (value) => ({ width: 5_000, height: Math.round(value * 200) }),
  longSideShare: (value) => ({
    width: 1_000,
    height: 500,
    rects: [product(Math.round(value * 1_000), 450, 10, 20)],
  }),
  fillShare: (value) => ({
    width: 1_000,
    height: 100,
    rects: [product(Math.round(value * 1_000), 20, 10, 40)],
  }),
  offCenterShare: (value) => ({
    width: 1_000,
    height: 1_000,
    rects: [product(500, 500, 250 + Math.round(value * 1_000), 250)],
  }),
  productLongestPx: (value) => ({ width: 900, height: 100, rects: [product(value, 20, 10, 40)] }),
};
/** The smallest step of each measure that a picture can represent. */
const steps: Readonly<Record<string, number>> = {
  megapixels: 0.005,
  fillShare: 0.001,
  longSideShare: 0.001,
  offCenterShare: 0.001,
};

const fixed = (key: string, outcome: Case['outcome'], canvas: Canvas | (() => Promise<Buffer>)): Case => ({
  name: key,
  key,
  outcome,
  make: typeof canvas === 'function' ? canvas : () => draw(canvas),
});

function casesOf(rule: Rule): Case[] {
  switch (rule.measure) {
    case 'bytes':
      return around(rule, 1, (value) => ({ key: `${value} bytes`, make: () => ofBytes(value) }));
    case 'ratio':
      return [
        [198, 'passes'],
        [197, 'fails'],
        [202, 'passes'],
        [203, 'fails'],
        [200, 'passes'],
      ].map(([width, outcome]) =>
        fixed(`${width}:200`, outcome as Case['outcome'], { width: width as number }),
      );
    case 'frames':
      return [1, 2, 3].map((frames) =>
        fixed(`${frames} frames`, frames === 1 ? 'passes' : 'fails', () => animation(frames)),
      );
    case 'cornerDarkest':
      return [
        fixed('white', 'passes', {}),
        fixed('a corner of 254', 'fails', { rects: [patch(199, 0, 1, 1, 254)] }),
        fixed('254 beside the corner', 'passes', { rects: [patch(6, 6, 9, 9, 254)] }),
        fixed('254 everywhere', 'fails', { level: 254 }),
      ];
    case 'ringWhiteShare':
      return [
        fixed('white', 'passes', {}),
        fixed('one pixel of 254 on the edge', 'fails', { rects: [patch(100, 0, 1, 1, 254)] }),
        fixed('one pixel of 254 next to the edge', 'passes', { rects: [patch(100, 1, 1, 1, 254)] }),
        fixed('a shadow that reaches the edge', 'fails', { rects: [patch(90, 150, 20, 50, 225)] }),
      ];
    case 'nearWhiteShare':
      return [
        fixed('a soft edge', 'passes', { rects: [patch(78, 78, 84, 84, 252), centered(80)] }),
        fixed('an off-white edge wider than a soft edge', 'fails', {
          rects: [patch(76, 76, 88, 88, 252), centered(80)],
        }),
        ...[399, 400, 401].map((pixels) =>
          fixed(`${pixels} of 40,000 pixels at level 252`, pixels <= 400 ? 'passes' : 'fails', {
            rects: [
              patch(50, 50, 100, Math.floor(pixels / 100), 252),
              patch(50, 50 + Math.floor(pixels / 100), pixels % 100, 1, 252),
            ],
          }),
        ),
      ];
    case 'hasContent':
      return [
        fixed('white', 'fails', {}),
        fixed('254 everywhere', 'fails', { level: 254 }),
        fixed('transparent', 'fails', blank),
        fixed('a speck of two pixels', 'passes', { rects: [centered(80), patch(20, 20, 2, 1, 90)] }),
        fixed('a pale product', 'passes', { rects: [{ ...centered(80), level: 249 }] }),
        fixed('no plain background', 'passes', scene),
      ];
    case 'framed':
      return [
        fixed('white', 'passes', {}),
        fixed('a line along four sides', 'fails', { level: 0, rects: [patch(1, 1, 198, 198, 255)] }),
        fixed('a line inside the edge', 'fails', {
          rects: [patch(6, 6, 188, 188, 120), patch(8, 8, 184, 184, 255)],
        }),
        fixed('a line along three sides', 'passes', { level: 0, rects: [patch(1, 0, 198, 199, 255)] }),
        fixed('a line too faint to see', 'passes', { level: 244, rects: [patch(1, 1, 198, 198, 255)] }),
        fixed('a light band along four sides', 'fails', {
          level: 244,
          rects: [patch(4, 4, 192, 192, 255), centered(40)],
        }),
        fixed('a light band along three sides', 'passes', {
          level: 244,
          rects: [patch(4, 0, 192, 196, 255), centered(40)],
        }),
        fixed('off-white all over', 'passes', { level: 247, rects: [centered(40)] }),
      ];
    case 'cutEdges':
      return [
        fixed('a product inside', 'passes', { rects: [centered(40)] }),
        fixed('a product one pixel from the edge', 'passes', { rects: [product(40, 119, 80, 80)] }),
        fixed('a product on the edge', 'fails', { rects: [product(40, 120, 80, 80)] }),
        fixed('something smaller on the edge', 'passes', { rects: [centered(40), patch(0, 0, 20, 20, 60)] }),
      ];
    case 'otherEdges':
      return [
        fixed('a product inside', 'passes', { rects: [centered(40)] }),
        fixed('a product on the edge', 'passes', { rects: [product(40, 120, 80, 80)] }),
        fixed('something smaller on the edge', 'fails', { rects: [centered(40), patch(0, 0, 20, 20, 60)] }),
        fixed('a strip along a part of the bottom', 'fails', {
          rects: [centered(60), patch(0, 190, 80, 10, 230)],
        }),
        fixed('two products inside', 'passes', { rects: [centered(40), patch(10, 10, 30, 30, 60)] }),
      ];
    case 'fragments':
      return [
        fixed('a product alone', 'passes', { rects: [centered(80)] }),
        fixed('a part of 1 % of the product', 'passes', { rects: [centered(80), patch(20, 20, 8, 8, 90)] }),
        fixed('a smaller leftover', 'fails', { rects: [centered(80), patch(20, 20, 7, 9, 90)] }),
        fixed('a leftover at the frame', 'fails', { rects: [centered(80), patch(0, 20, 4, 4, 200)] }),
        fixed('a leftover of four pixels', 'fails', { rects: [centered(80), patch(20, 20, 2, 2, 240)] }),
        fixed('a speck of two pixels', 'passes', { rects: [centered(80), patch(20, 20, 2, 1, 90)] }),
        fixed('a part beyond a gap of one pixel', 'passes', {
          rects: [centered(80), patch(161, 100, 4, 4, 90)],
        }),
      ];
    case 'blur':
      return [
        fixed('a product', 'passes', { rects: [centered(80)] }),
        fixed('a soft product', 'passes', { rects: [centered(80)], save: blurred(1) }),
        fixed('a blurred product', 'fails', { rects: [centered(80)], save: blurred(8) }),
      ];
    case 'ringWhiteOrClearShare':
      return [
        fixed('white', 'passes', {}),
        fixed('254 everywhere', 'fails', { level: 254 }),
        fixed('transparent', 'passes', blank),
      ];
    case 'bitsPerChannel':
      return [
        fixed('white', 'passes', {}),
        fixed('16 bits', 'fails', { save: (image) => image.toColourspace('rgb16').png().toBuffer() }),
      ];
    case 'format':
      return (['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const).map((format) =>
        fixed(`as ${format}`, rule.oneOf!.includes(format) ? 'passes' : 'fails', {
          save: (image) => image.toFormat(format).toBuffer(),
        }),
      );
    case 'colorModel':
      return [
        fixed('in rgb', 'passes', { save: (image) => image.jpeg().toBuffer() }),
        fixed('in gray', 'fails', { save: (image) => image.toColourspace('b-w').jpeg().toBuffer() }),
        fixed('in cmyk', rule.oneOf!.includes('cmyk') ? 'passes' : 'fails', {
          save: (image) => image.toColourspace('cmyk').jpeg().toBuffer(),
        }),
      ];
    case 'provenance':
      return [
        fixed('white', 'passes', {}),
        fixed('marked as a photograph', 'passes', { save: marked('digitalCapture') }),
        fixed('marked as a scene', 'fails', { save: marked('compositeSynthetic') }),
        fixed('marked as generated', 'fails', { save: marked('trainedAlgorithmicMedia') }),
      ];
    default:
      return around(rule, steps[rule.measure] ?? 1, (value) => ({
        key: `${rule.measure} ${value}`,
        make: () => draw(makers[rule.measure]!(value)),
      }));
  }
}

/** Cases at each limit, and one step outside it. */
function around(rule: Rule, step: number, picture: (value: number) => Pick<Case, 'key' | 'make'>): Case[] {
  const { min = -Infinity, max = Infinity } = rule;
  const values = [min, min - step, max, max + step].filter(Number.isFinite);
  return [...new Set(values)].map((exact): Case => {
    const value = Number(exact.toFixed(4));
    const made = picture(value);
    return { ...made, name: made.key, outcome: value >= min && value <= max ? 'passes' : 'fails' };
  });
}

const measured = new Map<string, Promise<PictureMeasures>>();
function measureOnce({ key, make }: Case): Promise<PictureMeasures> {
  const known = measured.get(key) ?? make().then((bytes) => measurePicture({ bytes, limits }));
  measured.set(key, known);
  return known;
}

/**
 * Whether pictures at the rule's limit are too large for a test: 64 megapixels take a gigabyte, and 25 take seconds.
 * For these rules, a test changes the measured value instead.
 */
const isHuge = (rule: Rule) => rule.measure === 'megapixels' && rule.max! > 20;
const table = (Object.keys(marketplaces) as MarketplaceId[]).flatMap((marketplace) =>
  marketplaces[marketplace].rules
    .filter((rule) => !isHuge(rule))
    .flatMap((rule) => casesOf(rule).map((one) => ({ marketplace, rule: rule.id, one }))),
);

describe('the rules of marketplaces', () => {
  it('are checked on at least 120 pictures, each rule on both sides of its limit', () => {
    expect(new Set(table.map(({ one }) => one.key)).size).toBeGreaterThanOrEqual(120);
    for (const { rules } of Object.values(marketplaces)) {
      for (const rule of rules.filter((each) => !isHuge(each))) {
        expect(new Set(casesOf(rule).map(({ outcome }) => outcome)).size, rule.id).toBe(2);
      }
    }
  });

  it.each(table.map((row) => [row.marketplace, row.rule, row.one.outcome, row.one.name, row] as const))(
    '%s, %s: %s with %s',
    async (_marketplace, _rule, outcome, _name, { marketplace, rule, one }) => {
      const verdict = judgePicture(marketplaces[marketplace], await measureOnce(one));
      expect(verdict.rules.find(({ id }) => id === rule)).toMatchObject({ outcome });
    },
  );

  it.each([
    ['google', 64],
    ['shopify', 25],
  ] as const)(
    'accept a picture at the limit of %s, %d megapixels, and none above it',
    async (marketplace, limit) => {
      const measures = await measureOnce(fixed('white', 'passes', {}));
      expect(measures.megapixels).toBeCloseTo((measures.widthPx * measures.heightPx) / 1e6, 9);
      const of = (megapixels: number) =>
        judgePicture(marketplaces[marketplace], { ...measures, megapixels }).rules.find(
          ({ id }) => id === 'megapixels',
        )?.outcome;
      expect([of(limit - 0.001), of(limit), of(limit + 0.001)]).toEqual(['passes', 'passes', 'fails']);
    },
  );

  it('are checked on pictures, except the megapixel limits of Google and Shopify', () => {
    const huge = (Object.keys(marketplaces) as MarketplaceId[]).filter((marketplace) =>
      marketplaces[marketplace].rules.some(isHuge),
    );
    expect(huge.sort()).toEqual(['google', 'shopify']);
  });
});

describe('a verdict', () => {
  it('says what could not be measured, and never that a marketplace approves', async () => {
    const picture = await draw(scene);
    const verdict = judgePicture(marketplaces.otto, await measurePicture({ bytes: picture, limits }));
    expect(verdict.rules.find(({ id }) => id === 'fill')).toMatchObject({
      outcome: 'not_measured',
      measured: null,
    });
    for (const marketplace of Object.values(marketplaces)) {
      const { summary } = judgePicture(marketplace, await measurePicture({ bytes: picture, limits }));
      expect(summary).not.toMatch(/approv|accept/i);
      expect(summary).toMatch(/our checks|check the picture yourself/);
    }
  });

  const verdictOf = async (marketplace: MarketplaceId, canvas: Canvas) => {
    const whole = { width: 2000, height: 2000, ...canvas };
    const picture = fixed(JSON.stringify(whole), 'passes', whole);
    return judgePicture(marketplaces[marketplace], await measureOnce(picture));
  };
  const filling = patch(100, 200, 1800, 1600, 90);

  it('for a picture that passes also says, in the same sentence, what is not checked', async () => {
    expect(await verdictOf('amazon', { rects: [filling] })).toMatchObject({
      verdict: 'passes',
      summary: 'Amazon, main image: passes our checks; text, logos and props are not checked.',
    });
  });

  it.each(Object.keys(marketplaces) as MarketplaceId[])(
    'is a failure for a blank picture (%s)',
    async (marketplace) => {
      const { verdict, summary } = await verdictOf(marketplace, {});
      expect(verdict).toBe('fails');
      expect(summary).toContain('no product found.');
    },
  );

  it('asks about small parts that stand apart', async () => {
    const small = { y: 1850, width: 30, height: 30, level: 60 };
    const one = await verdictOf('amazon', { rects: [filling, { ...small, x: 200 }] });
    expect(one).toMatchObject({
      verdict: 'unclear',
      summary:
        'Amazon, main image: 1 small part is separate from the product: a leftover, or a part of it? Check the picture yourself.',
    });
    const three = [200, 600, 900].map((x) => ({ ...small, x }));
    expect(await verdictOf('amazon', { rects: [filling, ...three] })).toMatchObject({
      verdict: 'unclear',
      summary:
        'Amazon, main image: 3 small parts are separate from the product: leftovers, or parts of it? Check the picture yourself.',
    });
    expect((await verdictOf('amazon', { rects: mixed })).verdict).toBe('fails');
  });

  it('advises cropping a wide picture to a square, and does not apply this rule to a square picture', async () => {
    const wide = { width: 3400, rects: [{ ...filling, x: 1400, y: 100, width: 600, height: 1800 }] };
    const found = await verdictOf('amazon', wide);
    expect(found.summary).toBe(
      'Amazon, main image: passes our checks, with 1 remark (crop to a square); text, logos and props are not checked.',
    );
    expect(found.rules.find(({ id }) => id === 'crop')).toMatchObject({ outcome: 'fails', measured: 0.5294 });
    const square = await verdictOf('amazon', { rects: [filling] });
    expect(square.rules.map(({ id }) => id)).not.toContain('crop');
  });

  it('does not judge the focus of a product that is only a few pixels wide', async () => {
    const { rules } = await verdictOf('amazon', { width: 200, height: 200, rects: [centered(20)] });
    expect(rules.find(({ id }) => id === 'focus')).toMatchObject({ outcome: 'not_measured' });
  });

  it('asks about a product that is tiny in a wide picture', async () => {
    const tiny = { width: 5000, rects: [{ ...filling, x: 2200, y: 100, width: 600, height: 1800 }] };
    expect(await verdictOf('amazon', tiny)).toMatchObject({
      verdict: 'unclear',
      summary: 'Amazon, main image: crop to a square. Check the picture yourself.',
    });
  });

  it('distinguishes something else in a corner from a cropped product', async () => {
    const corner = patch(0, 0, 60, 60, 60);
    const { summary } = await verdictOf('amazon', { rects: [{ ...filling, x: 150 }, corner] });
    expect(summary).toContain('something else touches the edge');
    expect(summary).not.toContain('crops');
  });

  it('is based on rules that each name a source and the date when we read it', () => {
    for (const { rules, notChecked } of Object.values(marketplaces)) {
      expect(notChecked.length).toBeGreaterThan(0);
      for (const { source } of rules) {
        expect(URL.canParse(source.url)).toBe(true);
        expect(source.checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
      }
    }
  });
});
