import { describe, expect, it } from 'vitest';
import { findLeastSoft, measureSoftness, needsDarkViews } from './isnet-views.ts';

const sure = Float32Array.of(0, 0, 1, 1, 1, 1, 0, 0, 0);
const torn = Float32Array.of(0, 0.2, 1, 0.6, 0.5, 1, 0.1, 0, 0);
const paper = new Uint8Array(27).fill(235);
const table = new Uint8Array(27).fill(120);

describe('second looks', () => {
  it('are taken of an uncertain subject on bright paper only', () => {
    expect(needsDarkViews(paper, torn)).toBe(true);
    expect(needsDarkViews(paper, sure)).toBe(false);
    expect(needsDarkViews(table, torn)).toBe(false);
  });

  it('win by being less soft', () => {
    expect(findLeastSoft([torn, sure])).toBe(sure);
    expect(findLeastSoft([sure, torn])).toBe(sure);
  });

  it('never win by being empty', () => {
    expect(measureSoftness(new Float32Array(9))).toBe(1);
    expect(findLeastSoft([torn, new Float32Array(9)])).toBe(torn);
  });
});
