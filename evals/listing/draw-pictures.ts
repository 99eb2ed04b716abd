/** Draws pictures of the sample products as sellers upload them: sound ones, and ones with a fault each. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';
import { cutSubject } from '../../src/cutout/cut-subject.ts';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { readImage } from '../../src/designs/read-image.ts';

export interface Drawn {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Layout {
  /** Longer side of the product as a fraction of the picture's same side; default .88. */
  readonly fill?: number;
  readonly width?: number;
  readonly height?: number;
  readonly background?: string;
  /** Shift of the product in pixels. */
  readonly right?: number;
  readonly down?: number;
  /** Drawn beneath the product. */
  readonly under?: readonly OverlayOptions[];
  /** Drawn over the product. */
  readonly over?: readonly OverlayOptions[];
}

type Draw = (cut: (sample: string) => Promise<Buffer>) => Promise<Buffer>;

const limits = {
  maxBytes: 100e6,
  maxPixels: 50e6,
  maxAvifPixels: 25e6,
  minSidePx: 16,
  maxSidePx: 20_000,
};
const SIDE_PX = 1600;
// The photo reader blocks formats that uploads may not have.
sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });

const svg = (body: string, width = SIDE_PX, height = SIDE_PX): OverlayOptions => ({
  input: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`,
  ),
  top: 0,
  left: 0,
});
const text = (x: number, y: number, size: number, color: string, words: string) =>
  svg(
    `<text x="${x}" y="${y}" font-family="sans-serif" font-weight="bold" font-size="${size}" fill="${color}">${words}</text>`,
  );

async function place(cutout: Buffer, layout: Layout = {}): Promise<Buffer> {
  const { fill = 0.88, width = SIDE_PX, height = SIDE_PX, background = '#ffffff' } = layout;
  const product = await sharp(cutout)
    .trim({ threshold: 1 })
    .resize({ width: Math.round(width * fill), height: Math.round(height * fill), fit: 'inside' })
    .png()
    .toBuffer();
  const size = await sharp(product).metadata();
  const left = Math.round((width - size.width) / 2) + (layout.right ?? 0);
  const top = Math.round((height - size.height) / 2) + (layout.down ?? 0);
  const visible = {
    left: Math.max(0, -left),
    top: Math.max(0, -top),
    width: Math.min(size.width, width - left) - Math.max(0, -left),
    height: Math.min(size.height, height - top) - Math.max(0, -top),
  };
  return sharp({ create: { width, height, channels: 3, background } })
    .composite([
      ...(layout.under ?? []),
      {
        input: await sharp(product).extract(visible).png().toBuffer(),
        left: Math.max(0, left),
        top: Math.max(0, top),
      },
      ...(layout.over ?? []),
    ])
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** As a cutout looks that kept a rim of the lawn that the product was photographed on. */
async function addRim(cutout: Buffer, color: string, widthPx: number): Promise<Buffer> {
  const { width, height } = await sharp(cutout).metadata();
  const wider = await sharp(cutout)
    .extractChannel('alpha')
    .blur(widthPx)
    .linear(4, 0)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const rim = await sharp({ create: { width, height, channels: 3, background: color } })
    .joinChannel(wider, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
  return sharp(rim)
    .composite([{ input: cutout }])
    .png()
    .toBuffer();
}

/** Patches of the old background, as a cutout leaves them. */
const leftovers = svg(
  '<path d="M60 90 q30 -20 52 6 t40 26 q-20 30 -60 14 z" fill="#8a7a5c"/><ellipse cx="1480" cy="1290" rx="26" ry="14" fill="#6d6350"/>',
);

const pictures: Readonly<Record<string, Draw>> = {
  '01.jpg': async (cut) => place(await cut('headphones-paper')),
  '02.jpg': async (cut) => place(await cut('waterbottle-hard'), { fill: 0.55 }),
  '03.jpg': async (cut) =>
    place(await cut('console-white'), { over: [text(90, 190, 130, '#d4172a', 'SALE −30 %')] }),
  '04.jpg': async (cut) => place(await cut('chair-white')),
  '05.jpg': async (cut) => place(await cut('mug-clutter'), { background: '#f6f6f4' }),
  '06.jpg': async (cut) =>
    place(await cut('guitar-hard'), {
      over: [
        svg('<rect x="8" y="8" width="1584" height="1584" fill="none" stroke="#222" stroke-width="6"/>'),
      ],
    }),
  '07.jpg': async (cut) => place(await cut('plush-paper')),
  '08.jpg': async (cut) => place(await cut('waterbottle-hard'), { down: 260, fill: 0.95 }),
  '09.jpg': async () => readSample('mug-marbletop'),
  '10.jpg': async (cut) => place(await cut('plush-paper'), { over: [leftovers] }),
  '11.jpg': async (cut) =>
    place(await cut('cushion-room'), { over: [text(420, 830, 120, '#ffffff', 'NEW IN')] }),
  '12.jpg': async (cut) => place(await cut('eyeglasses-paper')),
  '13.jpg': async (cut) => place(await cut('headphones-paper'), { width: 420, height: 420 }),
  '14.jpg': async (cut) => place(await cut('guitar-hard'), { width: 2400, height: 900 }),
  '15.jpg': async (cut) => place(await addRim(await cut('potplant-grass'), '#5f9a3c', 9)),
  '16.jpg': async (cut) =>
    place(await cut('potplant-grass'), {
      over: [
        svg(
          '<g transform="rotate(-30 800 800)"><text x="240" y="840" font-family="sans-serif" font-size="190" fill="#9a9a9a" fill-opacity="0.5">mystore.com</text></g>',
        ),
      ],
    }),
  '17.jpg': async (cut) =>
    place(
      await sharp(await cut('console-white'))
        .blur(9)
        .png()
        .toBuffer(),
    ),
  '18.jpg': async (cut) => place(await cut('earbuds-woodtable')),
  '19.jpg': async (cut) =>
    place(await cut('headphones-paper'), {
      under: [
        svg(
          '<defs><filter id="b"><feGaussianBlur stdDeviation="26"/></filter></defs><ellipse cx="800" cy="1500" rx="470" ry="46" fill="#555" fill-opacity="0.55" filter="url(#b)"/>',
        ),
      ],
    }),
  '20.jpg': async (cut) => place(await cut('mug-white'), { down: -60, right: 40, fill: 0.86 }),
};

const readSample = (sample: string): Promise<Buffer> =>
  readFile(new URL(`../../samples/${sample}.jpg`, import.meta.url));

export async function* drawPictures(): AsyncGenerator<Drawn> {
  const engine = await openIsnet({
    threads: 2,
    cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
  });
  const cutouts = new Map<string, Buffer>();
  const cut = async (sample: string): Promise<Buffer> => {
    const known = cutouts.get(sample);
    if (known) return known;
    const photo = await readImage(await readSample(sample), limits);
    const { cutoutPng } = await cutSubject(photo, engine, { signal: new AbortController().signal });
    cutouts.set(sample, Buffer.from(cutoutPng));
    return cutouts.get(sample)!;
  };
  try {
    for (const [name, draw] of Object.entries(pictures)) yield { name, bytes: await draw(cut) };
  } finally {
    await engine.close();
  }
}
