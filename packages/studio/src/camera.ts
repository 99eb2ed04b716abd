/** The camera, with a shift lens that keeps vertical lines vertical, and the product's box on the canvas. */
import type { Box } from 'packshot-pixels';
import type { StudioScene } from './studio-scene.ts';

/** Looks along -z from (0, height, distance). Ray directions have z = -1, so the ray parameter is the depth. */
export interface Camera {
  readonly width: number;
  readonly height: number;
  /** Height of the eye, and its distance from the product's plane z = 0, in world units. */
  readonly eyeY: number;
  readonly distance: number;
  /**
   * Half the frame's width, half its height, and the lens shift up and to the right: all at z = 0, divided by the
   * distance.
   */
  readonly tanX: number;
  readonly tanY: number;
  readonly shift: number;
  readonly shiftX: number;
  /** Height of the frame at z = 0, in world units. */
  readonly frameHeight: number;
}

interface Canvas {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

export function makeCamera(scene: StudioScene, { width, height }: Canvas): Camera {
  const { tan, elevDeg, fillH, fillW, baseline, flushWith, offset = { x: 0, y: 0 } } = scene.camera;
  const aspect = width / height;
  const product = scene.subject;
  const frameHeight = Math.max(product.height / fillH, product.width / (fillW * aspect));
  const distance = frameHeight / (2 * tan);
  const flat = scene.view === 'flat-lay';
  const free = 1 - product.height / frameHeight;
  const share = flat ? free * (flushWith === undefined ? 0.5 : flushWith === 'top' ? 1 : 0) : baseline;
  const centerY = scene.baseY - share * frameHeight + frameHeight / 2;
  const eyeY = flat ? centerY : scene.baseY + Math.tan((elevDeg * Math.PI) / 180) * distance;
  return {
    width,
    height,
    eyeY,
    distance,
    tanX: tan * aspect,
    tanY: tan,
    shift: (centerY - eyeY - offset.y * frameHeight) / distance,
    shiftX: (-offset.x * frameHeight * aspect) / distance,
    frameHeight,
  };
}

/** A cutout that is so much wider than planned that it would have less of the planned height than this is fitted. */
const MOST_WIDENED = 0.9;

/** The product's box on the canvas, in whole pixels, inside the canvas. `aspect` is its width divided by its height. */
export function frameProduct(scene: StudioScene, canvas: Canvas, aspect: number): Box {
  const camera = makeCamera(scene, canvas);
  const { subject } = scene;
  // The set may be planned for a product of other proportions, so the cutout is fitted into that product's box.
  const fitted = Math.min(subject.height, subject.width / aspect);
  const isFlushAbove = scene.camera.flushWith === 'top';
  // A standing product that touches the upper edge keeps its height, even if its cutout is slightly wider than planned.
  const reaches = isFlushAbove && scene.view === 'standing' && fitted > MOST_WIDENED * subject.height;
  const height = reaches ? subject.height : fitted;
  const pixels = canvas.height / camera.frameHeight;
  const box = {
    width: Math.max(1, Math.min(canvas.width, Math.round(height * aspect * pixels))),
    height: Math.max(1, Math.min(canvas.height, Math.round(height * pixels))),
  };
  // A cutout that is lower than planned keeps its foot where it was planned or, if it hangs from the frame's edge, its top.
  const y =
    isFlushAbove && scene.view === 'flat-lay'
      ? Math.round(rowOf(camera, scene.baseY + subject.height, 0))
      : Math.round(rowOf(camera, scene.baseY, 0)) - box.height;
  const x = Math.round(
    (canvas.width - box.width) / 2 +
      (subject.shift ?? 0) * pixels +
      (scene.camera.offset?.x ?? 0) * canvas.width,
  );
  return {
    x: Math.max(0, Math.min(canvas.width - box.width, x)),
    y: Math.max(0, Math.min(canvas.height - box.height, y)),
    ...box,
  };
}

/** Converts world x at depth z to a canvas column, in fractional pixels. */
export function columnOf(camera: Camera, x: number, z: number): number {
  return ((x / ((camera.distance - z) * camera.tanX) - camera.shiftX / camera.tanX + 1) / 2) * camera.width;
}

/** Converts world y at depth z to a canvas row, in fractional pixels. */
export function rowOf(camera: Camera, y: number, z: number): number {
  return ((1 - ((y - camera.eyeY) / (camera.distance - z) - camera.shift) / camera.tanY) / 2) * camera.height;
}

/** Converts a canvas column (in fractional pixels) at depth z to world x. */
export function unprojectX(camera: Camera, column: number, z: number): number {
  return (((2 * column) / camera.width - 1) * camera.tanX + camera.shiftX) * (camera.distance - z);
}

/** Converts a canvas row (in fractional pixels) at depth z to world y. */
export function unprojectY(camera: Camera, row: number, z: number): number {
  return camera.eyeY + ((1 - (2 * row) / camera.height) * camera.tanY + camera.shift) * (camera.distance - z);
}
