/** Step: locates the subject, and lists what a person should know about its cutout, by fixed rules. */

import { PackshotError } from 'packshot-errors';
import { type Box, type Edge, findMatteBounds, findParts, type Matte } from 'packshot-pixels';
import { findProbability } from '../passes/judge-passes.ts';
import type { SubjectFacts, SubjectIssue } from '../subject.ts';
import { describeDoubt, type FinalEvidence } from './doubtful-cutout.ts';
import { findSmallerParts, listDoubtfulPlaces, movePlace, type Place } from './doubtful-places.ts';
import { measureSoftness } from './matte-evidence.ts';

/** Minimum alpha of pixels that count for the box: 3 %, about the least that is visible on a backdrop. */
const BOX_ALPHA = 8;
/**
 * Minimum fraction of the photo's pixels that have an alpha of at least `CORE_ALPHA`. A matte with fewer is a smear or
 * a speck, not a product.
 */
const MIN_CORE_SHARE = 0.0004;
const CORE_ALPHA = 192;
/** Maximum softness of a product's matte. A softer matte is a fog, which engines return for a blank wall or noise. */
const MAX_SOFTNESS = 0.35;
const SMALL_BOX_SHARE = 0.02;
/** Maximum longer side of a thumbnail: a full version enlarges it more than twelvefold. */
const THUMBNAIL_PX = 160;
/** Minimum area of a further part that is reported, as a fraction of the largest part's area. */
const PART_SHARE = 0.01;
/** Maximum side of the copy on which parts are counted: parts are visible at this size, and counting them is cheap. */
const PARTS_SIDE_PX = 512;
/**
 * The subject is cut off at a side of the photo if it covers at least this fraction of that side, and at least 3 px.
 */
const CUT_SHARE = 0.004;

/**
 * Throws `no_subject_found` if the matte contains no product. `evidence` is null if the matte does not come from an
 * engine alone. `isTransparent`: whether the upload has its own transparency.
 */
export function findSubjectFacts(
  matte: Matte,
  evidence: FinalEvidence | null = null,
  isTransparent = evidence === null,
): SubjectFacts {
  const box = findMatteBounds(matte, BOX_ALPHA);
  const pixels = matte.width * matte.height;
  let [mass, core] = [0, 0];
  for (const alpha of matte.data) {
    mass += alpha;
    if (alpha >= CORE_ALPHA) core++;
  }
  if (box === null || core < pixels * MIN_CORE_SHARE || measureSoftness(matte) > MAX_SOFTNESS) {
    throw new PackshotError(
      'no_subject_found',
      'Nothing in the photo stands out from its background. Photograph one product, well lit, or leave the photo as it is.',
    );
  }
  const touchesEdges = isTransparent && isTrimmed(matte, box) ? [] : findCutEdges(matte);
  const issues: SubjectIssue[] = [];
  const doubt = evidence && describeDoubt(evidence);
  if (doubt) issues.push(doubt);
  if (touchesEdges.length > 0) {
    issues.push({
      code: 'touches_frame',
      detail: `The product is cut off at the ${touchesEdges.join(' and ')} of the photo. Leave some space around it.`,
    });
  }
  const smallerParts = listSmallerParts(matte);
  if (smallerParts.length > 0) {
    issues.push({
      code: 'several_parts',
      detail: `The cutout has ${smallerParts.length + 1} separate parts. If only one is the product, move the others away.`,
    });
  }
  if (Math.max(matte.width, matte.height) <= THUMBNAIL_PX) {
    issues.push({
      code: 'low_resolution',
      detail: `The photo is a thumbnail of ${matte.width}×${matte.height} px. Upload the original photo.`,
    });
  } else if (box.width * box.height < pixels * SMALL_BOX_SHARE) {
    issues.push({
      code: 'small_subject',
      detail: `The product covers only ${box.width}×${box.height} px of the photo. Move closer for a sharper picture.`,
      box,
    });
  }
  return {
    boundingBox: box,
    coverage: mass / 255 / pixels,
    touchesEdges,
    confidence: evidence === null ? 1 : findProbability(evidence),
    issues,
    doubtful: listDoubtfulPlaces(matte, { parts: smallerParts, disputed: evidence?.disputed ?? [] }),
  };
}

/** Fraction of a side below which a gap between the subject and this side is no margin, and its least size in pixels. */
const NO_MARGIN = { share: 0.01, px: 2 } as const;

/**
 * Whether a transparent upload was trimmed to the product's box: the product then touches the edges, although no
 * photographer cropped it. A product that is cropped in its photo has a margin on at least two sides.
 */
function isTrimmed({ width, height }: Matte, box: Box): boolean {
  const isClose = (gap: number, side: number): boolean =>
    gap <= Math.max(NO_MARGIN.px, NO_MARGIN.share * side);
  const closeSides = [
    isClose(box.x, width),
    isClose(width - box.x - box.width, width),
    isClose(box.y, height),
    isClose(height - box.y - box.height, height),
  ];
  return closeSides.filter(Boolean).length >= 3;
}

function findCutEdges({ width, height, data }: Matte): Edge[] {
  const isCut = (count: number, start: number, step: number): boolean => {
    let subject = 0;
    for (let n = 0, i = start; n < count; n++, i += step) if (data[i]! >= 128) subject++;
    return subject >= Math.max(3, count * CUT_SHARE);
  };
  const edges: Edge[] = [];
  if (isCut(width, 0, 1)) edges.push('top');
  if (isCut(height, width - 1, width)) edges.push('right');
  if (isCut(width, (height - 1) * width, 1)) edges.push('bottom');
  if (isCut(height, 0, width)) edges.push('left');
  return edges;
}

/** Lists the parts, except the largest, that are worth reporting, in source pixels. */
function listSmallerParts(matte: Matte): Place[] {
  const small = thinOut(matte);
  const found = findParts(small, { min: 128, max: 255, neighbours: 8 });
  const largest = found.parts.reduce((area, part) => Math.max(area, part.area), 0);
  const step = findStep(matte);
  const covered = { x: 0, y: 0, width: small.width * step, height: small.height * step };
  return findSmallerParts(found, small, (area) => area >= largest * PART_SHARE).map((place) =>
    movePlace(place, small, covered),
  );
}

const findStep = ({ width, height }: Matte): number =>
  Math.max(1, Math.ceil(Math.max(width, height) / PARTS_SIDE_PX));

/**
 * Shrinks the matte. Each pixel is the maximum of its block, so that thin bridges such as cables still connect parts.
 */
function thinOut(matte: Matte): Matte {
  const { width, height, data } = matte;
  const step = findStep(matte);
  const small: Matte = {
    width: Math.ceil(width / step),
    height: Math.ceil(height / step),
    data: new Uint8Array(Math.ceil(width / step) * Math.ceil(height / step)),
  };
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / step) * small.width;
    for (let x = 0; x < width; x++, i++) {
      const a = data[i]!;
      if (a === 0) continue;
      const at = row + Math.floor(x / step);
      if (a > small.data[at]!) small.data[at] = a;
    }
  }
  return small;
}
