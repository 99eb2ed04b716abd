import { describe, expect, it } from 'vitest';
import { placeNames } from '../../studio/places/place-names.ts';
import { aimKey } from './aim-key.ts';
import { places } from './place-facts.ts';

describe('the key light of a place', () => {
  it('comes from the side from which the product was lit', () => {
    for (const place of placeNames) {
      for (const standing of ['table', 'floor', 'room'] as const) {
        const left = aimKey(place, 0, 'left', { standing });
        expect(left.az).toBeLessThan(0);
        expect(aimKey(place, 0, 'right', { standing }).az).toBe(-left.az);
      }
    }
  });

  it('is small and has the elevation of the sun, but is never so low that the shadow leaves the frame', () => {
    expect(aimKey('sky', 0, 'left', { standing: 'table' })).toMatchObject({
      el: places.sky.light!.latitudeDeg,
    });
    expect(aimKey('sunset', 0, 'left', { standing: 'table' })).toMatchObject({
      el: 40,
      angularRadius: 1.6,
    });
  });

  it('is higher, but not overhead, where the frame would cut the shadow', () => {
    const sun = (freeWidth: number) => aimKey('sunset', 0, 'left', { standing: 'table', freeWidth }).el;
    expect(sun(2)).toBe(40);
    expect(sun(0.8)).toBeGreaterThan(45);
    expect(sun(0.1)).toBe(57);
  });

  it('is broad under an overcast sky, and higher for furniture, so that the shadow begins at its feet', () => {
    const table = aimKey('forest', 0, 'left', { standing: 'table' });
    const floor = aimKey('forest', 0, 'left', { standing: 'floor' });
    expect(table.angularRadius).toBeGreaterThan(4);
    expect(floor.el).toBeGreaterThan(table.el);
    expect(floor.angularRadius).toBeGreaterThan(table.angularRadius);
  });

  it('comes from beside the product, so that the shadow is visible, but from nearer the camera for bushy ones', () => {
    for (const place of placeNames) {
      expect(aimKey(place, 0, 'right', { standing: 'table' }).az).toBeGreaterThanOrEqual(58);
      expect(aimKey(place, 0, 'right', { standing: 'table', isBushy: true }).az).toBeLessThan(50);
    }
  });

  it('is a small, strong sun at the given azimuth for thin products, so that their shadow shows their shape', () => {
    for (const place of ['dawn', 'park', 'sunset'] as const) {
      const usual = aimKey(place, 0, 'right', { standing: 'table' });
      const airy = aimKey(place, 0, 'right', { standing: 'table', airyAzimuth: 20 });
      expect(airy.az).toBe(20);
      expect(airy.angularRadius).toBeLessThan(1);
      expect(airy.intensity).toBeGreaterThan(usual.intensity);
    }
  });

  it('is a small lamp for thin products at a wall, whatever light the place has', () => {
    const lamp = aimKey('workshop', 0, 'left', { standing: 'wall', airyAzimuth: 20 });
    expect(aimKey('apartment', 90, 'left', { standing: 'wall', airyAzimuth: 20 })).toEqual(lamp);
    expect(lamp.az).toBe(-20);
    expect(lamp.el).toBeLessThan(40);
  });

  it('is a large, near window if the product stands in front of a wall, whatever light the place has', () => {
    const window = aimKey('lobby', 0, 'left', { standing: 'room' });
    expect(aimKey('apartment', 90, 'left', { standing: 'room' })).toEqual(window);
    expect(window.angularRadius).toBeGreaterThan(8);
    expect(window.el).toBeGreaterThan(50);
    expect(window.distance).toBeLessThan(8);
  });
});
