import { expect, it } from 'vitest';
import { uploaded } from './api-examples.ts';
import { designSchema, restoreAnswer } from './design-answer.ts';

it('the response to an upload can still be replayed if it was stored before designs had revisions', () => {
  const { cutout: _, ...old } = uploaded;
  const stored = JSON.parse(JSON.stringify(old));
  expect(designSchema.safeParse(stored).success).toBe(false);
  expect(designSchema.parse(restoreAnswer(stored))).toEqual(uploaded);
});
