/** Step: the subject's mirror image in a glossy floor. */
import { decodeSrgb } from '../srgb.ts';
import { blurGaussian } from '../studio/ground/gaussian-blur.ts';
import type { Grid } from '../studio/ground/grid.ts';
import { makeSilhouette, type PlacedSubject } from '../studio/ground/silhouette.ts';
import { findStandingLine } from '../studio/ground/standing-line.ts';
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
  const planes = [0, 1, 2, 3].map(() => new Float32Array(cells)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
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
      sampleSubject(planes, y * grid.width + x, {
        image,
        px: Math.floor((x + 0.5) * grid.cellPx) - left,
        py: Math.floor(mirrored * grid.cellPx) - top,
        share,
      });
    }
  }
  for (const plane of planes) blurGaussian(plane, grid, { sigmaX: 1.2, sigmaY: 2.2 });
  for (let i = 0; i < cells; i++) {
    const rest = 1 - planes[3][i]!;
    for (let c = 0; c < 3; c++) field[3 * i + c] = field[3 * i + c]! * rest + planes[c]![i]!;
  }
}

function sampleSubject(
  planes: readonly Float32Array[],
  cell: number,
  point: {
    readonly image: PlacedSubject['image'];
    readonly px: number;
    readonly py: number;
    readonly share: number;
  },
): void {
  const { image, px, py, share } = point;
  if (px < 0 || py < 0 || px >= image.width || py >= image.height) return;
  const at = 4 * (py * image.width + px);
  const alpha = (image.data[at + 3]! / 255) * share;
  for (let c = 0; c < 3; c++) planes[c]![cell] = decodeSrgb(image.data[at + c]! / 255) * alpha;
  planes[3]![cell] = alpha;
}
