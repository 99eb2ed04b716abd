import { describe, expect, it } from 'vitest';
import type { Matte } from '../../../pixels/src/pixels.ts';
import { DOUBTFUL, type FinalEvidence } from './doubtful-cutout.ts';
import { findSubjectFacts } from './subject-facts.ts';

const WIDTH = 400;
const HEIGHT = 300;

function draw(alphaAt: (x: number, y: number) => number): Matte {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    alphaAt(i % WIDTH, Math.floor(i / WIDTH)),
  );
  return { width: WIDTH, height: HEIGHT, data };
}

const isIn = (x: number, y: number, left: number, top: number, width: number, height: number): boolean =>
  x >= left && x < left + width && y >= top && y < top + height;

const sure: FinalEvidence = { softness: 0, agreement: 1, disputed: [], fragments: 0 };
const noSubject = expect.objectContaining({ code: 'no_subject_found' });

describe('facts about the subject', () => {
  it('include the box, the coverage and a high confidence for a clear product', () => {
    const facts = findSubjectFacts(
      draw((x, y) => (isIn(x, y, 100, 60, 200, 150) ? 255 : 0)),
      sure,
    );
    expect(facts).toEqual({
      boundingBox: { x: 100, y: 60, width: 200, height: 150 },
      coverage: 0.25,
      touchesEdges: [],
      confidence: expect.closeTo(1, 1),
      issues: [],
      doubtful: [],
    });
  });

  it('exclude invisible pixels from the box', () => {
    const facts = findSubjectFacts(
      draw((x, y) => (isIn(x, y, 100, 60, 200, 150) ? 255 : 7)),
      sure,
    );
    expect(facts.boundingBox).toEqual({ x: 100, y: 60, width: 200, height: 150 });
  });

  it('name the sides that crop the product', () => {
    const facts = findSubjectFacts(
      draw((x, y) => (isIn(x, y, 300, 200, 100, 100) ? 255 : 0)),
      sure,
    );
    expect(facts.touchesEdges).toEqual(['right', 'bottom']);
    expect(facts.issues).toEqual([expect.objectContaining({ code: 'touches_frame' })]);
    expect(facts.issues[0]!.detail).toContain('right and bottom');
  });

  it('do not treat an upload cropped to its own transparency as a cropped product', () => {
    const everywhere = draw(() => 255);
    const cone = draw((x, y) => (Math.abs(x - 200) <= (y / 300) * 200 ? 255 : 0));
    const belowTransparentRow = draw((_, y) => (y > 0 ? 255 : 0));
    for (const matte of [everywhere, cone, belowTransparentRow])
      expect(findSubjectFacts(matte).touchesEdges).toEqual([]);
    expect(findSubjectFacts(everywhere, sure).touchesEdges).toHaveLength(4);
    expect(findSubjectFacts(everywhere, null, false).touchesEdges).toHaveLength(4);
    const waistUp = draw((x, y) => (isIn(x, y, 150, 100, 100, 200) ? 255 : 0));
    expect(findSubjectFacts(waistUp).touchesEdges).toEqual(['bottom']);
  });

  it('do not treat a single pixel at a side as a cropped product', () => {
    const facts = findSubjectFacts(
      draw((x, y) => (isIn(x, y, 100, 60, 200, 150) || (x === 0 && y === 9) ? 255 : 0)),
      sure,
    );
    expect(facts.touchesEdges).toEqual([]);
  });

  it('report several parts, but not a fragment', () => {
    const twoAndCrumb = draw((x, y) =>
      isIn(x, y, 20, 60, 100, 150) || isIn(x, y, 200, 60, 100, 150) || isIn(x, y, 350, 10, 3, 3) ? 255 : 0,
    );
    const { issues } = findSubjectFacts(twoAndCrumb, sure);
    expect(issues).toEqual([expect.objectContaining({ code: 'several_parts' })]);
    expect(issues[0]!.detail).toContain('2 separate parts');
  });

  it('list doubtful places, parts first, each with an outline and the click that settles it', () => {
    const two = draw((x, y) => (isIn(x, y, 20, 60, 120, 150) || isIn(x, y, 200, 60, 100, 60) ? 255 : 0));
    const map = { width: 10, height: 10, data: new Uint8Array(100).fill(1) };
    const lost = { box: { x: 60, y: 230, width: 20, height: 40 }, map };
    const solid = { box: { x: 30, y: 70, width: 50, height: 50 }, map };
    const same = { box: { x: 201, y: 61, width: 98, height: 60 }, map };
    const { doubtful } = findSubjectFacts(two, { ...sure, disputed: [lost, same, solid] });
    expect(doubtful!.map(({ reason, box, part }) => [reason, box.x, part.mode])).toEqual([
      ['separate_part', 200, 'erase'],
      ['looks_differ', 60, 'keep'],
      ['looks_differ', 30, 'erase'],
    ]);
    const [part] = doubtful!;
    expect(part!.box).toEqual({ x: 200, y: 60, width: 100, height: 60 });
    expect(new Set(part!.outline.map(String))).toEqual(new Set(['200,60', '300,60', '300,120', '200,120']));
    expect(isIn(part!.part.x, part!.part.y, 220, 80, 60, 20)).toBe(true);
  });

  const clear = draw((x, y) => (isIn(x, y, 100, 60, 200, 150) ? 255 : 0));

  it.each([
    ['the softness of the engine’s output', { softness: 0.03 }, { softness: 0.4 }],
    ['the share of fragments', { softness: 0.02, fragments: 0.01 }, { softness: 0.02, fragments: 0.6 }],
  ])('lower the confidence with %s, and report an issue if it is low', (_, little, much) => {
    expect(findSubjectFacts(clear, { ...sure, ...little })).toMatchObject({ issues: [] });
    const facts = findSubjectFacts(clear, { ...sure, ...much });
    expect(facts.confidence).toBeLessThan(DOUBTFUL);
    expect(facts.issues.map((issue) => issue.code)).toEqual(['uncertain_outline']);
  });

  it('locate the place where two passes disagree if the cutout is doubtful', () => {
    const box = { x: 5, y: 6, width: 70, height: 80 };
    const disputed = [{ box, map: { width: 1, height: 1, data: Uint8Array.of(1) } }];
    expect(findSubjectFacts(clear, { ...sure, disputed })).toMatchObject({ issues: [] });
    const facts = findSubjectFacts(clear, { ...sure, softness: 0.4, disputed });
    expect(facts.issues).toEqual([expect.objectContaining({ code: 'uncertain_outline', box })]);
    expect(facts.issues[0]!.detail).toContain('disagree here');
  });

  it('raise no doubts about a matte that came with the photo', () => {
    const glass = draw((x, y) => (isIn(x, y, 100, 60, 200, 150) ? (x < 240 ? 255 : 150) : 0));
    expect(findSubjectFacts(glass, null)).toMatchObject({ confidence: 1, issues: [] });
  });

  it('report a very small product', () => {
    const facts = findSubjectFacts(
      draw((x, y) => (isIn(x, y, 200, 100, 30, 30) ? 255 : 0)),
      sure,
    );
    expect(facts.issues).toEqual([
      expect.objectContaining({ code: 'small_subject', box: { x: 200, y: 100, width: 30, height: 30 } }),
    ]);
  });

  it.each([
    ['an empty matte', () => 0],
    ['fog', () => 90],
    ['fog with a bright middle', (x: number, y: number) => (isIn(x, y, 190, 140, 20, 20) ? 255 : 60)],
    ['a speck', (x: number, y: number) => (isIn(x, y, 200, 100, 4, 4) ? 255 : 0)],
  ])('throw no_subject_found for %s', (_, alphaAt) => {
    expect(() => findSubjectFacts(draw(alphaAt), sure)).toThrow(noSubject);
  });

  it('say that a thumbnail is too small', () => {
    const thumbnail = (width: number) => ({
      width,
      height: 120,
      data: new Uint8Array(width * 120).fill(255),
    });
    const codesOf = (matte: Matte) => findSubjectFacts(matte).issues.map(({ code }) => code);
    expect(codesOf(thumbnail(160))).toEqual(['low_resolution']);
    expect(codesOf(thumbnail(161))).toEqual([]);
  });
});
