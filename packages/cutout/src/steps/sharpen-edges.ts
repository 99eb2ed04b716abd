/**
 * Step: aligns the matte's hard edges with the edges visible in the photo, at the photo's own resolution.
 *
 * The color of a mixed pixel lies on the line between the subject's color and the backdrop's color next to
 * it, and its position on that line is its alpha (Ruzon, Tomasi 2000; the projection of Chuang et al. 2001,
 * section 3). The new alpha gets more weight if each of the two colors is uniform, if they differ much, and
 * if the pixel is close to their line. Fur and multicolored rims stay unchanged.
 */
import { clamp, type Matte, type RgbImage, ramp } from 'packshot-pixels';

/** Maximum alpha of a pure backdrop pixel, and minimum alpha of a pure subject pixel. */
const BACKDROP = 8;
const SUBJECT = 247;
/** Alpha at which the outline is drawn. */
const OUTLINE = 128;
/**
 * Half the width of the window in which colors are sampled, in pixels of the matte before enlargement; and
 * the number of samples from the pixel to the side of the window.
 */
const REACH_PX = 1.7;
const SAMPLES = 5;
/** Minimum number of samples on each side of the edge. */
const FEWEST = 3;
/**
 * Distance between the subject's and the backdrop's color, in sRGB levels. The new alpha has no weight below
 * `APART_FROM`, and full weight from `APART_FULLY` on.
 */
const APART_FROM = 30;
const APART_FULLY = 90;
/**
 * The more the colors of the two sides vary along the line between them, the less the new alpha counts. It has no
 * weight if the two variances add up to the line's squared length divided by `SPREAD_WEIGHT`. Variation across the line
 * does not move a pixel along it, so it does not count. A pixel that is farther from the line than `OFF_LINE` times the
 * line's length has a third color.
 */
const SPREAD_WEIGHT = 20;
const OFF_LINE = 0.5;
/**
 * Changes of alpha up to `believed` are accepted. Those above `unlikely` are rejected, because the pixel probably
 * belongs to another object with the color of the subject or of the backdrop. Between the two, the new alpha loses
 * weight. The limits are lower where the outline would move than where only its softness would change.
 */
const MOVING = { believed: 0.15, unlikely: 0.5 };
const STAYING = { believed: 0.3, unlikely: 0.8 };

/** `photo` has the matte's size; `scale`, at least 1, is the factor by which the matte was enlarged. */
export function sharpenEdges(matte: Matte, photo: RgbImage, scale: number): Matte {
  const { width, height, data: before } = matte;
  const data = before.slice();
  const reach = Math.max(3, Math.round(REACH_PX * scale));
  const stride = Math.max(1, Math.round(reach / SAMPLES));
  const sides = { backdrop: new Side(), subject: new Side() };
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const alpha = before[i]!;
      if (alpha <= BACKDROP || alpha >= SUBJECT) continue;
      sides.backdrop.clear();
      sides.subject.clear();
      const toX = Math.min(width - 1, x + reach);
      const toY = Math.min(height - 1, y + reach);
      for (let v = Math.max(0, y - reach); v <= toY; v += stride) {
        for (let u = Math.max(0, x - reach); u <= toX; u += stride) {
          const n = v * width + u;
          const near = before[n]!;
          if (near <= BACKDROP) sides.backdrop.add(photo.data, n * 3);
          else if (near >= SUBJECT) sides.subject.add(photo.data, n * 3);
        }
      }
      data[i] = project(alpha, photo.data, i * 3, sides);
    }
  }
  return { width, height, data };
}

/**
 * Colors of one side of the edge. The channels are written out for speed, since this runs for each sample of each mixed
 * pixel.
 */
class Side {
  count = 0;
  private r = 0;
  private g = 0;
  private b = 0;
  private rr = 0;
  private rg = 0;
  private rb = 0;
  private gg = 0;
  private gb = 0;
  private bb = 0;
  /** After `settle`: mean color. */
  readonly mean = new Float64Array(3);

  clear(): void {
    this.count = this.r = this.g = this.b = 0;
    this.rr = this.rg = this.rb = this.gg = this.gb = this.bb = 0;
  }

  add(rgb: Uint8Array, at: number): void {
    const r = rgb[at]!;
    const g = rgb[at + 1]!;
    const b = rgb[at + 2]!;
    this.count++;
    this.r += r;
    this.g += g;
    this.b += b;
    this.rr += r * r;
    this.rg += r * g;
    this.rb += r * b;
    this.gg += g * g;
    this.gb += g * b;
    this.bb += b * b;
  }

  settle(): void {
    const { mean, count } = this;
    mean[0] = this.r / count;
    mean[1] = this.g / count;
    mean[2] = this.b / count;
  }

  /** Variance of the colors along a direction, whose squared length is `squaredLength`. */
  measureSpread(direction: Float64Array, squaredLength: number): number {
    const { mean, count } = this;
    const r = direction[0]!;
    const g = direction[1]!;
    const b = direction[2]!;
    const middle = r * mean[0]! + g * mean[1]! + b * mean[2]!;
    const squares =
      this.rr * r * r +
      this.gg * g * g +
      this.bb * b * b +
      2 * (this.rg * r * g + this.rb * r * b + this.gb * g * b);
    return Math.max(0, squares / count - middle * middle) / squaredLength;
  }
}

interface Sides {
  readonly backdrop: Side;
  readonly subject: Side;
}

/** The vector from the backdrop's color to the subject's; reused, because `project` runs for each mixed pixel. */
const steps = new Float64Array(3);

function project(alpha: number, rgb: Uint8Array, at: number, { backdrop, subject }: Sides): number {
  if (backdrop.count < FEWEST || subject.count < FEWEST) return alpha;
  backdrop.settle();
  subject.settle();
  let apart = 0;
  let along = 0;
  let away = 0;
  for (let c = 0; c < 3; c++) {
    const step = subject.mean[c]! - backdrop.mean[c]!;
    steps[c] = step;
    const own = rgb[at + c]! - backdrop.mean[c]!;
    apart += step * step;
    along += own * step;
    away += own * own;
  }
  if (apart < APART_FROM * APART_FROM) return alpha;
  const place = clamp(along / apart, 0, 1);
  const offLine = Math.sqrt(Math.max(0, away - 2 * place * along + place * place * apart) / apart);
  const change = place - alpha / 255;
  const { believed, unlikely } = place >= 0.5 === alpha >= OUTLINE ? STAYING : MOVING;
  const spread = backdrop.measureSpread(steps, apart) + subject.measureSpread(steps, apart);
  const weight =
    ramp(APART_FROM, APART_FULLY, Math.sqrt(apart)) *
    clamp(1 - (SPREAD_WEIGHT * spread) / apart, 0, 1) *
    clamp(1 - offLine / OFF_LINE, 0, 1) *
    ramp(unlikely, believed, Math.abs(change));
  return Math.round(alpha + 255 * weight * change);
}
