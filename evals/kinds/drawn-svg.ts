/** Draws seeded pages, labels and covers as SVG: lines, words, flat colors. */
import sharp, { type Sharp } from 'sharp';
import type { SeededRandom } from '../../packages/pixels/src/seeded-random.ts';

const words =
  'size chest waist hip length small medium large care wash iron cotton new sale only best free light water soft pure fresh natural organic daily repair shine smart home travel classic premium edition volume story summer garden'.split(
    ' ',
  );
const fonts = ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono'] as const;

const color = (random: SeededRandom, low = 0, high = 255): string =>
  `rgb(${[0, 1, 2].map(() => Math.round(random.between(low, high))).join(',')})`;
const say = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.pick(words)).join(' ');

interface Text {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly middle?: boolean;
}
const text = (random: SeededRandom, words: string, { x, y, size, fill, middle }: Text): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-family="${random.pick(fonts)}" font-weight="${random.pick(['400', '700'])}"${middle ? ' text-anchor="middle"' : ''}>${words}</text>`;
const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const page = (width: number, height: number, ground: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rect(0, 0, width, height, ground)}${content}</svg>`;

const paper = (random: SeededRandom): string => (random.next() < 0.6 ? '#fff' : color(random, 190, 250));

/** A table of sizes, with or without lines, with a title and often with the outline of a garment. */
export function drawChart(random: SeededRandom): string {
  const [width, height] = [Math.round(random.between(700, 1100)), Math.round(random.between(600, 1100))];
  const ink = color(random, 0, 90);
  const columns = 3 + Math.floor(random.next() * 4);
  const rows = 4 + Math.floor(random.next() * 8);
  const hasShape = random.next() < 0.4;
  const [left, top] = [width * 0.06, height * (hasShape ? 0.45 : 0.2)];
  const [w, h] = [(width * 0.88) / columns, (height * 0.95 - top) / rows];
  const size = Math.min(26, h * 0.5);
  const head = color(random, 20, 200);
  let content = text(random, say(random, 3).toUpperCase(), {
    x: width / 2,
    y: height * 0.1,
    size: height * 0.05,
    fill: ink,
    middle: true,
  });
  const striped = random.next() < 0.5;
  const lined = random.next() < 0.7;
  for (let row = 0; row < rows; row++) {
    if (row === 0 || (striped && row % 2 === 0))
      content += rect(left, top + row * h, w * columns, h, row === 0 ? head : '#e8e8e8');
    if (lined) content += rect(left, top + row * h, w * columns, 1.5, ink);
    for (let column = 0; column < columns; column++) {
      const words =
        row === 0 || column === 0
          ? random.pick(['S', 'M', 'L', 'XL', 'EU', 'US', say(random, 1)])
          : String(Math.round(random.between(28, 130)));
      content += text(random, words, {
        x: left + (column + 0.5) * w,
        y: top + (row + 0.65) * h,
        size,
        fill: row === 0 ? '#fff' : ink,
        middle: true,
      });
    }
  }
  if (lined)
    for (let column = 0; column <= columns; column++)
      content += rect(left + column * w, top, 1.5, h * rows, ink);
  if (hasShape) content += drawShirt(width / 2, height * 0.28, height * 0.24, ink);
  return page(width, height, paper(random), content);
}

const drawShirt = (x: number, y: number, size: number, ink: string): string =>
  `<path transform="translate(${x} ${y}) scale(${size / 100})" fill="none" stroke="${ink}" stroke-width="2" d="M-18 -48 L18 -48 L50 -30 L40 -8 L28 -14 L28 50 L-28 50 L-28 -14 L-40 -8 L-50 -30 Z M-28 20 L28 20 M-50 60 L50 60"/>`;

/** Big words, shapes and a button; or, as `callouts`, lines that lead from words to the middle. */
export function drawBanner(random: SeededRandom, kind: 'banner' | 'callouts' = 'banner'): string {
  const [width, height] = [Math.round(random.between(800, 1200)), Math.round(random.between(500, 1000))];
  const ink = color(random, 0, 110);
  const ground = kind === 'callouts' ? paper(random) : color(random, 30, 255);
  let content = '';
  for (let shape = 0; shape < 3 && kind === 'banner'; shape++)
    content +=
      random.next() < 0.5
        ? `<circle cx="${random.between(0, width)}" cy="${random.between(0, height)}" r="${random.between(60, 260)}" fill="${color(random)}"/>`
        : rect(
            random.between(0, width),
            random.between(0, height),
            random.between(80, 500),
            random.between(30, 300),
            color(random),
          );
  const lines = kind === 'callouts' ? 5 : 3;
  for (let line = 0; line < lines; line++) {
    const isLeft = line % 2 === 0;
    const y = height * (0.15 + (0.75 * line) / lines);
    const size = kind === 'callouts' ? random.between(18, 30) : height * random.between(0.06, 0.16);
    const x = kind === 'callouts' ? width * (isLeft ? 0.03 : 0.8) : width * 0.08;
    content += text(random, say(random, kind === 'callouts' ? 2 : 1 + Math.floor(random.next() * 3)), {
      x,
      y,
      size,
      fill: ink,
    });
    if (kind === 'callouts')
      content += `<line x1="${width * (isLeft ? 0.22 : 0.78)}" y1="${y - 8}" x2="${width / 2}" y2="${height / 2}" stroke="${ink}" stroke-width="2"/><circle cx="${width * (isLeft ? 0.22 : 0.78)}" cy="${y - 8}" r="7" fill="${ink}"/>`;
  }
  if (kind === 'callouts')
    content += text(random, say(random, 3).toUpperCase(), {
      x: width / 2,
      y: height * 0.08,
      size: height * 0.06,
      fill: ink,
      middle: true,
    });
  return page(width, height, ground, content);
}

/** Fields of color or symbols with a word under each. */
export function drawSwatches(random: SeededRandom): string {
  const columns = 2 + Math.floor(random.next() * 3);
  const rows = 1 + Math.floor(random.next() * 3);
  const cell = 240;
  const [width, height] = [columns * cell + 80, rows * (cell + 40) + 120];
  const ink = color(random, 0, 80);
  const isRound = random.next() < 0.5;
  let content = text(random, say(random, 2), { x: width / 2, y: 64, size: 40, fill: ink, middle: true });
  for (let n = 0; n < columns * rows; n++) {
    const x = 40 + (n % columns) * cell;
    const y = 100 + Math.floor(n / columns) * (cell + 40);
    const fill = color(random);
    content += isRound
      ? `<circle cx="${x + cell / 2}" cy="${y + cell / 2}" r="${cell * 0.36}" fill="${fill}" stroke="${ink}"/>`
      : rect(x + 20, y + 20, cell - 40, cell - 40, fill);
    content += text(random, say(random, 2), {
      x: x + cell / 2,
      y: y + cell + 8,
      size: 24,
      fill: ink,
      middle: true,
    });
  }
  return page(width, height, paper(random), content);
}

/** A label that fills the frame: words on a shaded, curved ground. */
export function drawLabel(random: SeededRandom): string {
  const [width, height] = [Math.round(random.between(700, 1000)), Math.round(random.between(700, 1000))];
  const [ground, ink] =
    random.next() < 0.5
      ? [color(random, 150, 255), color(random, 0, 90)]
      : [color(random, 0, 110), color(random, 190, 255)];
  let content = '';
  if (random.next() < 0.6)
    content += rect(0, height * 0.2, width, height * random.between(0.3, 0.6), color(random));
  let y = height * random.between(-0.02, 0.12);
  while (y < height) {
    const size = random.between(16, 150);
    y += size * 1.25;
    content += text(random, say(random, Math.ceil(700 / size)), {
      x: width / 2,
      y,
      size,
      fill: ink,
      middle: true,
    });
  }
  const angle = random.between(-6, 6);
  const shade = `<defs><linearGradient id="s"><stop stop-color="#000" stop-opacity="${random.between(0.2, 0.6)}"/><stop offset=".35" stop-color="#fff" stop-opacity=".15"/><stop offset="1" stop-color="#000" stop-opacity="${random.between(0.2, 0.7)}"/></linearGradient></defs>`;
  return page(
    width,
    height,
    ground,
    `<g transform="rotate(${angle})">${content}</g>${shade}${rect(0, 0, width, height, 'url(#s)')}`,
  );
}

/** A fabric or a surface from near by. */
export function drawWeave(random: SeededRandom): Sharp {
  const side = 800;
  const base = [0, 1, 2].map(() => random.between(30, 230));
  const [across, along] = [random.between(4, 22), random.between(4, 22)];
  const depth = random.between(8, 40);
  const fold = random.between(150, 500);
  const data = new Uint8Array(side * side * 3);
  for (let y = 0, p = 0; y < side; y++) {
    for (let x = 0; x < side; x++, p += 3) {
      const thread = Math.sin((x * 2 * Math.PI) / across) * Math.sin((y * 2 * Math.PI) / along);
      const shade = Math.sin((x + 0.6 * y) / fold) * 30;
      const noise = (random.next() - 0.5) * depth;
      for (let c = 0; c < 3; c++)
        data[p + c] = Math.max(0, Math.min(255, base[c]! + thread * depth + shade + noise));
    }
  }
  return sharp(data, { raw: { width: side, height: side, channels: 3 } });
}

/** The front of a book, a box or a record: a ground, a picture of simple shapes, a title. */
export function drawCover(random: SeededRandom): string {
  const [width, height] = [Math.round(random.between(420, 800)), 800];
  const ink = color(random, random.next() < 0.5 ? 0 : 200, random.next() < 0.5 ? 60 : 255);
  let content = '';
  for (let shape = 0; shape < 2 + random.next() * 4; shape++) {
    const [x, y, r] = [
      random.between(0.2, 0.8) * width,
      random.between(0.3, 0.75) * height,
      random.between(40, 190),
    ];
    content +=
      random.next() < 0.6
        ? `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${r * random.between(0.5, 1.5)}" fill="${color(random)}"/>`
        : `<path d="M${x} ${y - r} L${x + r} ${y + r} L${x - r} ${y + r * 0.7} Z" fill="${color(random)}"/>`;
  }
  content += text(random, say(random, 2), {
    x: width / 2,
    y: height * 0.14,
    size: width * 0.11,
    fill: ink,
    middle: true,
  });
  content += text(random, say(random, 2), {
    x: width / 2,
    y: height * 0.93,
    size: width * 0.05,
    fill: ink,
    middle: true,
  });
  return page(width, height, color(random), content);
}
