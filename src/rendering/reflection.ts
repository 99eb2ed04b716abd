/** Step: the subject's mirror image in a glossy floor. */
import { blurGaussian, decodeSrgb, type RgbaImage } from 'packshot-pixels';
import { findStandingLine, type Grid, makeSilhouette, type PlacedSubject } from 'packshot-studio';
import type { LightField } from './backdrop.ts';

export interface ReflectionRequest {
  readonly subject: PlacedSubject;
  readonly grid: Grid;
  /** Opacity of the mirror image directly at the foot, 0 to 1. */
  readonly gloss: number;
}

/** Distance from the foot at which the reflection has faded to 1/e, as a fraction of the subject's height. */
const FADE = 0.16;

/** Composites the subject's mirror image over the field. The image fades and blurs away from the foot. */
export function addReflection(field: LightField, { subject, grid, gloss }: ReflectionRequest): void {
  const cells = grid.width * grid.height;
  const planes = [0, 1, 2, 3].map(() => new Float32Array(cells));
  const { image, x: left, y: top } = subject;
  const fadeCells = (FADE * image.height) / grid.cellPx;
  const silhouette = makeSilhouette(image);
  const line = findStandingLine(silhouette, image.width / image.height);
  const rowCells = image.height / silhouette.rows / grid.cellPx;
  const first = Math.max(0, Math.floor(left / grid.cellPx));
  const end = Math.min(grid.width, Math.ceil((left + image.width) / grid.cellPx));
  for (let x = first; x < end; x++) {
    const place = (((x + 0.5) * grid.cellPx - left) * silhouette.columns) / image.width;
    const column = Math.min(silhouette.columns - 1, Math.max(0, Math.floor(place)));
    if (line.contour[column]! < 0) continue;
    const ground = top / grid.cellPx + line.ground[column]! * rowCells;
    // The mirror images of parts above the ground begin further down, where the reflection has faded.
    const lift = Math.max(0, line.ground[column]! - line.contour[column]!) * rowCells;
    const contact = gloss * Math.exp(-lift / (0.3 * fadeCells));
    for (let y = Math.floor(ground); contact > 0 && y < grid.height; y++) {
      const mirrored = 2 * ground - (y + 0.5);
      const share = contact * Math.exp(-(y + 0.5 - ground) / fadeCells);
      const from = {
        x: Math.floor((x + 0.5) * grid.cellPx) - left,
        y: Math.floor(mirrored * grid.cellPx) - top,
      };
      sampleSubject(image, from, share, planes, y * grid.width + x);
    }
  }
  for (const plane of planes) blurGaussian(plane, grid, { sigmaX: 1.2, sigmaY: 2.2 });
  for (let i = 0; i < cells; i++) {
    const rest = 1 - planes[3]![i]!;
    for (let c = 0; c < 3; c++) field[3 * i + c] = field[3 * i + c]! * rest + planes[c]![i]!;
  }
}

/** Writes one pixel of the subject, premultiplied with `share` of its alpha; nothing outside the subject's image. */
function sampleSubject(
  { width, height, data }: RgbaImage,
  { x, y }: { readonly x: number; readonly y: number },
  share: number,
  planes: readonly Float32Array[],
  cell: number,
): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const at = 4 * (y * width + x);
  const alpha = (data[at + 3]! / 255) * share;
  for (let c = 0; c < 3; c++) planes[c]![cell] = decodeSrgb(data[at + c]! / 255) * alpha;
  planes[3]![cell] = alpha;
}
