/** Step: the subject's mirror image in a glossy floor. */
import type { Box, RgbaImage } from '../pixels.ts';
import { decodeSrgb } from '../srgb.ts';
import type { LightField } from './backdrop.ts';
import { blurGaussian } from './gaussian-blur.ts';
import type { Grid } from './silhouette.ts';
import type { SupportLine } from './support-line.ts';

export interface ReflectionRequest {
  readonly subject: RgbaImage;
  readonly box: Box;
  readonly grid: Grid;
  readonly support: SupportLine;
  /** 0 to 1: share of the mirror image at the foot. */
  readonly gloss: number;
}

/** Reach of the reflection as a share of the subject's height: it fades to 1/e over this. */
const FADE = 0.16;

/** Lays the mirror image over the field, fading and blurring away from the foot. */
export function addReflection(
  field: LightField,
  { subject, box, grid, support, gloss }: ReflectionRequest,
): void {
  const cells = grid.width * grid.height;
  const planes = [0, 1, 2, 3].map(() => new Float32Array(cells)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const fadeCells = (FADE * box.height) / grid.cellPx;
  for (let x = support.firstColumn; x <= support.lastColumn; x++) {
    const ground = support.ground[x]!;
    // What hangs above the ground has its mirror image further down, where it has faded.
    const lift = Math.max(0, ground - support.outline[x]!);
    const contact = gloss * Math.exp(-lift / (0.3 * fadeCells));
    for (let y = Math.floor(ground); contact > 0 && y < grid.height; y++) {
      const mirrored = 2 * ground - (y + 0.5);
      const share = contact * Math.exp(-(y + 0.5 - ground) / fadeCells);
      sampleSubject(planes, y * grid.width + x, {
        subject,
        px: Math.floor((x + 0.5) * grid.cellPx) - box.x,
        py: Math.floor(mirrored * grid.cellPx) - box.y,
        share,
      });
    }
  }
  for (const plane of planes) {
    blurGaussian(plane, grid, { sigmaX: 1.2, sigmaY: 2.2 });
  }
  for (let i = 0; i < cells; i++) {
    const rest = 1 - planes[3][i]!;
    for (let c = 0; c < 3; c++) {
      field[3 * i + c] = field[3 * i + c]! * rest + planes[c]![i]!;
    }
  }
}

function sampleSubject(
  planes: readonly Float32Array[],
  cell: number,
  point: { readonly subject: RgbaImage; readonly px: number; readonly py: number; readonly share: number },
): void {
  const { subject, px, py, share } = point;
  if (px < 0 || py < 0 || px >= subject.width || py >= subject.height) {
    return;
  }
  const at = 4 * (py * subject.width + px);
  const alpha = (subject.data[at + 3]! / 255) * share;
  for (let c = 0; c < 3; c++) {
    planes[c]![cell] = decodeSrgb(subject.data[at + c]! / 255) * alpha;
  }
  planes[3]![cell] = alpha;
}
