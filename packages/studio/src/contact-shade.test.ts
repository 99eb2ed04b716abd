import { describe, expect, it } from 'vitest';
import { makeContactShade } from './contact-shade.ts';
import type { SceneObject, StudioScene } from './studio-scene.ts';

const box: SceneObject = {
  shape: { kind: 'box', width: 1, height: 0.2, depth: 0.6, bevel: 0.02 },
  material: 'white',
  at: [0, 0, 0],
};
const drum: SceneObject = {
  shape: { kind: 'cylinder', radius: 0.4, height: 0.2, bevel: 0.02 },
  material: 'white',
  at: [1, 0, 0],
};

/** The shade of one object; the other properties of the scene do not matter. */
const shadeOf = (object: SceneObject, scene: Partial<StudioScene> = {}) =>
  makeContactShade({ objects: [object], view: 'standing', ...scene } as StudioScene);

describe('the contact shade', () => {
  it.each([
    ['box', box, 0.5],
    ['cylinder', drum, 1.4],
  ])('is darkest on the ground along the foot of a %s, and fades away from it', (_, object, edge) => {
    const shade = shadeOf(object);
    const [at, near, far] = [0.001, 0.03, 0.24].map((distance) => shade(edge + distance, 0, 0, 1));
    expect(at).toBeLessThan(0.5);
    expect(near).toBeGreaterThan(at! + 0.2);
    expect(far).toBeGreaterThan(0.98);
  });

  it('lies around both feet of an arch, and not between them', () => {
    const shade = shadeOf({
      ...box,
      shape: { kind: 'arch', width: 2, height: 2, thickness: 0.25, depth: 0.2 },
    });
    expect(shade(1.001, 0, 0, 1)).toBeLessThan(0.5);
    expect(shade(-0.749, 0, 0, 1)).toBeLessThan(0.5);
    expect(shade(0, 0, 0, 1)).toBe(1);
  });

  it('darkens the lower end of an object’s side, but neither its upper end nor the object’s top', () => {
    const shade = shadeOf(box);
    expect(shade(0, 0.001, 0.3, 0)).toBeLessThan(0.8);
    expect(shade(0, 0.1, 0.3, 0)).toBeGreaterThan(0.99);
    expect(shade(0, 0.2, 0.29, 1)).toBe(1);
  });

  it('follows an object that is turned, or stands on another one', () => {
    const turned = shadeOf({ ...box, turn: [0, Math.PI / 2, 0] });
    expect(turned(0.301, 0, 0, 1)).toBeLessThan(0.5);
    expect(turned(0, 0, 0.501, 1)).toBeLessThan(0.5);
    const raised = shadeOf({ ...drum, at: [0, 0.2, 0] });
    expect(raised(0.401, 0.2, 0, 1)).toBeLessThan(0.5);
    expect(raised(0.401, 0, 0, 1)).toBe(1);
  });

  it('is narrower beside a flat tile', () => {
    const tile = shadeOf({
      ...box,
      shape: { kind: 'box', width: 1, height: 0.01, depth: 0.6, bevel: 0.002 },
    });
    expect(tile(0.502, 0, 0, 1)).toBeLessThan(0.7);
    expect(tile(0.53, 0, 0, 1)).toBeGreaterThan(shadeOf(box)(0.53, 0, 0, 1) + 0.1);
  });

  it('is absent for leaning objects, in real places and in flat lays', () => {
    for (const shade of [
      shadeOf({ ...box, turn: [0, 0, 0.2] }),
      shadeOf(box, { place: { name: 'park', headingDeg: 0 } }),
      shadeOf(box, { view: 'flat-lay' }),
    ])
      expect(shade(0.501, 0, 0, 1)).toBe(1);
  });
});
