/** Draws a set with a plain stand-in for every kind of product that it is offered to, side by side. */

import { fitFile, type SceneFile, type Suit, suitAs } from 'packshot-sets';
import sharp from 'sharp';
import { lookAtCutout } from '../understanding/look-at-cutout.ts';
import { composeScene } from './draw-scene.ts';

/** Width and height of a stand-in in pixels, and the radius of its corners: a bottle, a mug, a shoe and so on. */
const shapes: Readonly<Record<Suit, readonly [width: number, height: number, radius: number]>> = {
  'upright-tall': [160, 420, 36],
  'upright-squat': [300, 330, 24],
  'long-low': [460, 190, 60],
  panel: [300, 420, 4],
  'small-precious': [260, 220, 110],
  irregular: [360, 360, 180],
  large: [440, 400, 20],
  lying: [400, 420, 30],
  hung: [380, 420, 24],
  worn: [200, 460, 60],
  unclear: [380, 320, 90],
};
const lengthCm = 28;
const colors = [
  [181, 82, 59],
  [62, 107, 102],
  [138, 143, 152],
  [217, 180, 91],
] as const;

/** A contact sheet as PNG; `edgePx`: longer side of each of its pictures. */
export async function drawSetSheet(file: SceneFile, edgePx = 320, suits = file.offered): Promise<Buffer> {
  const cells: Buffer[] = [];
  for (const [index, suit] of suits.entries()) cells.push(await drawSet(file, suit, index, edgePx));
  const columns = Math.min(4, cells.length);
  return sharp({
    create: {
      width: columns * edgePx,
      height: Math.ceil(cells.length / columns) * edgePx,
      channels: 3,
      background: '#ffffff',
    },
  })
    .composite(
      cells.map((input, index) => ({
        input,
        left: (index % columns) * edgePx,
        top: Math.floor(index / columns) * edgePx,
      })),
    )
    .png()
    .toBuffer();
}

async function drawSet(file: SceneFile, suit: Suit, index: number, edgePx: number): Promise<Buffer> {
  const [width, height, radius] = shapes[suit];
  const data = drawStandIn(width, height, radius, colors[index % colors.length]!);
  const cutoutPng = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const boundingBox = { x: 0, y: 0, width, height };
  const { features } = await lookAtCutout({ cutoutPng, box: boundingBox, touchesEdges: [] });
  const product = suitAs(suit, features!, lengthCm);
  const plan = fitFile(file, { product, ratio: '1:1', turn: index, seed: index + 1 });
  const signal = new AbortController().signal;
  const scene = { cutoutPng, boundingBox, plan, threads: 1, signal };
  const { picture } = await composeScene(scene, edgePx, 'normal');
  return sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 3 } })
    .png()
    .toBuffer();
}

/** A rounded body, lighter on its left; RGBA. */
function drawStandIn(width: number, height: number, radius: number, color: readonly number[]): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const dx = Math.max(0, radius - x - 0.5, x + 0.5 - (width - radius));
      const dy = Math.max(0, radius - y - 0.5, y + 0.5 - (height - radius));
      const shade = 1.2 - 0.55 * (x / width);
      const alpha = Math.min(1, Math.max(0, radius - Math.hypot(dx, dy) + 0.5));
      data.set([...color.map((channel) => Math.min(255, channel * shade)), 255 * alpha], (y * width + x) * 4);
    }
  }
  return data;
}
