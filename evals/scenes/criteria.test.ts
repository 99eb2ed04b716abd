import { describe, expect, it } from 'vitest';
import { criteria, criterionNames, describeVerdicts, isAcceptable, judgeCases } from './criteria.ts';

const good = {
  productChange: 0,
  border: 0.1,
  freeAbove: 0.3,
  contact1: 0.4,
  contact3: 0.6,
  contactRise: -0.1,
  shadowSide: 0.4,
  clippedWhite: 0,
  clippedBlack: 0,
};

describe('criteria', () => {
  it('pass and fail on the right side of their thresholds', () => {
    const fails = (name: keyof typeof criteria, value: number) => criteria[name].excess(value) > 0;
    expect(fails('productChange', 0)).toBe(false);
    expect(fails('productChange', 0.001)).toBe(true);
    expect(fails('contact1', 0.61)).toBe(true);
    expect(fails('shadowSide', 0)).toBe(true);
    expect(fails('shadowSide', 0.1)).toBe(false);
    for (const height of [0.3, 1.2]) expect(fails('horizon', height)).toBe(false);
    for (const height of [-0.1, 0.8, 2.1]) expect(fails('horizon', height)).toBe(true);
    expect(fails('clash', 40)).toBe(true);
    expect(fails('clash', 10)).toBe(false);
    expect(fails('clash', 120)).toBe(false);
    expect(fails('clutter', 2)).toBe(true);
    expect(fails('clutter', 7)).toBe(true);
    expect(fails('promptParts', 0.5)).toBe(true);
  });
});

describe('verdicts', () => {
  const cases = [
    { name: 'good', findings: good },
    { name: 'a little busy', findings: { ...good, clutter: 2.4 } },
    { name: 'busy', findings: { ...good, clutter: 9 } },
  ];

  it('count applicable cases and name the worst', () => {
    const clutter = judgeCases(cases).find(({ name }) => name === 'clutter')!;
    expect(clutter).toMatchObject({ cases: 2, passed: 0, worst: { name: 'busy', value: 9 } });
    expect(clutter.failures.map(({ name }) => name)).toEqual(['busy', 'a little busy']);
  });

  it('are acceptable if every must-criterion holds', () => {
    expect(isAcceptable(judgeCases(cases))).toBe(true);
  });

  it('are not acceptable if a must-criterion fails or was never measured', () => {
    const floating = { name: 'floating', findings: { ...good, contact1: 0.9 } };
    expect(isAcceptable(judgeCases([...cases, floating]))).toBe(false);
    const { border: _, ...rest } = good;
    expect(isAcceptable(judgeCases([{ name: 'unframed', findings: rest }]))).toBe(false);
  });

  it('are formatted as a table with one row per criterion', () => {
    const table = describeVerdicts(judgeCases(cases));
    expect(table.split('\n')).toHaveLength(criterionNames.length + 2);
    expect(table).toContain('| 0 % of 2 | 9.00 | busy |');
  });
});
