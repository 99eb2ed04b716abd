import { expect, it } from 'vitest';
import { hideRearLegs, sizeSubject } from './camera.ts';

it('sees a chair from where its seat hides the rear legs, but from less high up in a wide frame', () => {
  const subject = sizeSubject(0.8);
  const elevationIn = (aspect: number): number =>
    hideRearLegs({ clearance: 0.25 }, subject, { aspect, height: 1.6, distance: 3.8, subjectU: 0.5 });
  expect(elevationIn(1.5)).toBeGreaterThan(elevationIn(1.78) + 3);
  expect(elevationIn(1)).toBe(elevationIn(1.5));
});
