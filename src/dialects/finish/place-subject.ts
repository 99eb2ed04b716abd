/** Step: crops the picture to the subject, fits the subject into the canvas or a frame, or moves the subject. */
import { type Box, cutWindow, findMatteBounds, type RgbaImage, type Size } from 'packshot-pixels';
import { resample } from '../../rendering/resample.ts';
import type { Frame, Margins, PictureOrder } from '../order.ts';
import { resolveLength } from '../sizes.ts';
import type { Layer } from './read-layer.ts';

export interface Placing extends Pick<PictureOrder, 'crop' | 'scale' | 'position' | 'frame'> {
  readonly canvas: Size;
}

/** `scale` and `position` have no effect if there is a `crop`. */
export function placeSubject(
  { image, box }: Layer,
  { canvas, crop, scale, position, frame }: Placing,
): Layer & { readonly canvas: Size } {
  if (frame) return fitIntoFrame(image, canvas, frame);
  if (crop) return { image, ...addMargins(box, crop) };
  if (scale === undefined && position === undefined) return { canvas, image, box };
  const scaled = scale === undefined ? image : scaleTo(image, canvas, scale);
  const { width, height } = scaled;
  const shares = position ?? { x: 0.5, y: 0.5 };
  const x = Math.round((canvas.width - width) * shares.x);
  const y = Math.round((canvas.height - height) * shares.y);
  return { canvas, image: scaled, box: { x, y, width, height } };
}

const mostMarginPx = 500;

function fitIntoFrame(image: RgbaImage, photo: Size, { canvas = photo, borders, fills, align }: Frame) {
  const [top, right, bottom, left] = borders.map((lengths, i) => {
    const side = i % 2 === 0 ? canvas.height : canvas.width;
    return lengths.reduce((sum, length) => sum + resolveLength(length, side), 0);
  }) as [number, number, number, number];
  const inner = {
    width: Math.max(1, canvas.width - left - right),
    height: Math.max(1, canvas.height - top - bottom),
  };
  const factors = [inner.width / image.width, inner.height / image.height];
  const factor = fills ? Math.max(...factors) : Math.min(...factors);
  const [width, height] = [image.width, image.height].map((px) => Math.max(1, Math.round(px * factor))) as [
    number,
    number,
  ];
  const x = Math.round(left + (inner.width - width) * align.x);
  const y = Math.round(top + (inner.height - height) * align.y);
  return { canvas, ...cutOff(resample(image, width, height), { x, y }, canvas) };
}

/** Cuts off what protrudes from the canvas. */
function cutOff(image: RgbaImage, at: { readonly x: number; readonly y: number }, canvas: Size): Layer {
  const [x, y] = [Math.max(0, at.x), Math.max(0, at.y)];
  const width = Math.max(1, Math.min(canvas.width, at.x + image.width) - x);
  const height = Math.max(1, Math.min(canvas.height, at.y + image.height) - y);
  const box = { x, y, width, height };
  if (width === image.width && height === image.height) return { image, box };
  return { image: cutWindow(image, { x: x - at.x, y: y - at.y, width, height }), box };
}

/**
 * Crops a picture to everything that is visible in it, so that a shadow is not cut off. Margins are relative to the
 * subject.
 */
export function cropToContents(
  picture: RgbaImage,
  subject: Box,
  margins: Margins,
): { readonly canvas: Size; readonly image: RgbaImage; readonly box: Box; readonly foreground: Box } {
  const { width, height } = picture;
  const shown = findMatteBounds(picture, leastAlpha) ?? { x: width, y: height, width: 1, height: 1 };
  const { canvas, box } = addMargins(shown, margins, subject);
  const { image } = cutOff(picture, { x: -shown.x, y: -shown.y }, shown);
  const foreground = { ...subject, x: box.x + subject.x - shown.x, y: box.y + subject.y - shown.y };
  return { canvas, image, box, foreground };
}

/** Less than one percent of opacity cannot be seen. */
const leastAlpha = 3;

function addMargins(
  { width, height }: Size,
  margins: Margins,
  subject: Size = { width, height },
): { canvas: Size; box: Box } {
  const [top, right, bottom, left] = margins.map((margin, i) => {
    const side = i % 2 === 0 ? subject.height : subject.width;
    return Math.round(Math.min(resolveLength(margin, side), side / 2, mostMarginPx));
  }) as [number, number, number, number];
  return {
    canvas: { width: left + width + right, height: top + height + bottom },
    box: { x: left, y: top, width, height },
  };
}

/** Scales the image to the largest size that fits into this share of the canvas. */
function scaleTo(image: RgbaImage, canvas: Size, share: number): RgbaImage {
  const factor = Math.min((share * canvas.width) / image.width, (share * canvas.height) / image.height);
  const side = (px: number, most: number): number => Math.min(most, Math.max(1, Math.round(px * factor)));
  return resample(image, side(image.width, canvas.width), side(image.height, canvas.height));
}
