import { describe, expect, it } from 'vitest';
import { placeNames } from '../../studio/places/place-names.ts';
import { aimKey } from './aim-key.ts';
import { places } from './place-facts.ts';

describe('the key light of a place', () => {
  it('comes from the side from which the product was lit', () => {
    for (const place of placeNames) {
      for (const standing of ['table', 'floor', 'room'] as const) {
        const left = aimKey(place, 0, 'left', { standing, isAiry: false, hasBase: false });
        expect(left.az).toBeLessThan(0);
        expect(aimKey(place, 0, 'right', { standing, isAiry: false, hasBase: false }).az).toBe(-left.az);
      }
    }
  });

  it('is small and has the elevation of the sun, but is never so low that the shadow leaves the frame', () => {
    expect(aimKey('sky', 0, 'left', { standing: 'table', isAiry: false, hasBase: false })).toMatchObject({
      el: places.sky.light!.latitudeDeg,
    });
    expect(aimKey('sunset', 0, 'left', { standing: 'table', isAiry: false, hasBase: false })).toMatchObject({
      el: 32,
      angularRadius: 1.6,
    });
  });

  it('is broad under an overcast sky, and higher for furniture, so that the shadow begins at its feet', () => {
    const table = aimKey('forest', 0, 'left', { standing: 'table', isAiry: false, hasBase: false });
    const floor = aimKey('forest', 0, 'left', { standing: 'floor', isAiry: false, hasBase: false });
    expect(table.angularRadius).toBeGreaterThan(4);
    expect(floor.el).toBeGreaterThan(table.el);
    expect(floor.angularRadius).toBeGreaterThan(table.angularRadius);
  });

  it('is neither hard nor faint for thin products, and high, so that the shadows of their parts merge', () => {
    for (const place of ['forest', 'park'] as const) {
      const usual = aimKey(place, 0, 'left', { standing: 'table', isAiry: false, hasBase: false });
      const airy = aimKey(place, 0, 'left', { standing: 'table', isAiry: true, hasBase: false });
      expect(airy.angularRadius).toBeGreaterThan(4);
      expect(airy.angularRadius).toBeLessThan(8);
      expect(airy.el).toBeGreaterThan(usual.el);
      expect(airy.shadowReach).toBeUndefined();
    }
  });

  it('fades with height for thin products on a broad base, on tables', () => {
    const aim = { isAiry: true, hasBase: true } as const;
    expect(aimKey('park', 0, 'left', { ...aim, standing: 'table' }).shadowReach).toBeLessThan(1);
    expect(aimKey('park', 0, 'left', { ...aim, standing: 'floor' }).shadowReach).toBeUndefined();
  });

  it('is a large, near window if the product stands in front of a wall, whatever light the place has', () => {
    const window = aimKey('lobby', 0, 'left', { standing: 'room', isAiry: false, hasBase: false });
    expect(aimKey('apartment', 90, 'left', { standing: 'room', isAiry: false, hasBase: false })).toEqual(
      window,
    );
    expect(window.angularRadius).toBeGreaterThan(8);
    expect(window.el).toBeGreaterThan(50);
    expect(window.distance).toBeLessThan(8);
  });
});
