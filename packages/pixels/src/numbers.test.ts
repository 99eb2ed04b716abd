import { expect, it } from 'vitest';
import { clamp, ramp, smoothstep } from '../numbers.ts';

it('limits a value on both sides', () => {
  expect([-1, 0.3, 2].map((value) => clamp(value, 0, 1))).toEqual([0, 0.3, 1]);
});

it('rises from one end to the other, in either direction', () => {
  expect([1, 2, 3, 4, 5].map((value) => ramp(2, 4, value))).toEqual([0, 0, 0.5, 1, 1]);
  expect([1, 3, 5].map((value) => ramp(4, 2, value))).toEqual([1, 0.5, 0]);
  expect([1, 2.5, 3, 5].map((value) => smoothstep(2, 4, value))).toEqual([0, 0.15625, 0.5, 1]);
});
