import { describe, expect, it } from 'vitest';
import type { SubjectFacts, SubjectIssueCode } from '../../../packages/cutout/src/subject.ts';
import { withKind } from './photo-kind.ts';

const issue = (code: SubjectIssueCode) => ({ code, detail: code });
const subject: SubjectFacts = {
  boundingBox: { x: 0, y: 0, width: 9, height: 9 },
  coverage: 0.5,
  touchesEdges: ['bottom'],
  confidence: 0.9,
  issues: [issue('touches_frame')],
};
const codesOf = ({ issues }: SubjectFacts) => issues.map(({ code }) => code);

describe('what the kind of a photo means for its cutout', () => {
  it('asks for space around a product that the frame cuts off, and not around a person', () => {
    expect(codesOf(withKind(subject, { name: 'product', probability: 0.9 }))).toEqual(['touches_frame']);
    const worn = withKind(subject, { name: 'worn', probability: 0.9 });
    expect(worn).toMatchObject({ issues: [], touchesEdges: ['bottom'], confidence: 0.9 });
  });

  it.each(['close_up', 'graphic'] as const)('advises to leave a photo as it is: %s', (name) => {
    const judged = withKind(subject, { name, probability: 0.8 });
    expect(codesOf(judged)).toEqual(['better_uncut']);
    expect(judged.issues[0]!.detail).toContain('cutout: none');
    expect(judged.confidence).toBeCloseTo(0.2);
  });

  it('trusts a person who corrected the cutout', () => {
    const checked = withKind({ ...subject, confidence: 1 }, { name: 'close_up', probability: 0.8 }, true);
    expect(checked).toMatchObject({ confidence: 1, issues: [issue('touches_frame')] });
  });

  it('gives at most two pieces of advice', () => {
    const issues = (['uncertain_outline', 'touches_frame', 'several_parts'] as const).map(issue);
    const judged = withKind({ ...subject, issues }, { name: 'several', probability: 0.9 });
    expect(codesOf(judged)).toEqual(['uncertain_outline', 'touches_frame']);
  });

  it('leaves facts without a kind unchanged', () => {
    expect(withKind(subject, undefined)).toBe(subject);
  });
});
