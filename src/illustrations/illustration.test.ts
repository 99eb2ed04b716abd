import { describe, expect, it } from 'vitest';
import { designBlobs } from '../designs/design.ts';
import { backdropBlobs, isDrawnAgain } from './illustration.ts';

const of = (name: string) => designBlobs.illustration('dsg_0aZ', `ill_${'0a'.repeat(16)}`, name);

describe('the blob', () => {
  it.each([
    of('clean-preview-r4'),
    of('grounded-generated-r12'),
    of('plain-preview-r3'),
    of('painted-generated-r2'),
    backdropBlobs.shown('bdp_0aZ', 'preview-r2'),
  ])('%s can be drawn again', (key) => {
    expect(isDrawnAgain(key)).toBe(true);
  });

  it.each([
    designBlobs.source('dsg_0aZ'),
    designBlobs.cutout('dsg_0aZ'),
    designBlobs.matte('dsg_0aZ'),
    of('painted'),
    of('answer'),
    backdropBlobs.source('bdp_0aZ'),
    'batches/bat_0aZ/3',
    'batches/bat_0aZ/shown-3',
    `${of('painted')}/clean-preview-r4`,
  ])('%s cannot be drawn again', (key) => {
    expect(isDrawnAgain(key)).toBe(false);
  });
});
