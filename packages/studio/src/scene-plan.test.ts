import { describe, expect, it } from 'vitest';
import { makePlan } from '../../sets/src/testing/plans.ts';
import { readScenePlan } from './read-scene-plan.ts';
import { compositions, gobos, materials, measureFrame, scenePlanSchema } from './scene-plan.ts';

const plan = makePlan('marble-table-window');

describe('the scene plan', () => {
  it('survives a JSON round trip', () => {
    expect(readScenePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it('clamps numbers to their range and keeps the rest', () => {
    const wild = { ...plan, dof: 7, key: { ...plan.key, el: -3 }, camera: { ...plan.camera, fillW: 0.01 } };
    const read = readScenePlan(wild);
    expect([read.dof, read.key.el, read.camera.fillW]).toEqual([0.05, 15, 0.05]);
    expect(read.surface).toEqual(plan.surface);
    expect(wild.dof).toBe(7);
  });

  it('that this version cannot draw any more is gone, which the caller is told', () => {
    for (const value of [
      null,
      {},
      { ...plan, version: 2 },
      { ...plan, extra: 1 },
      { ...plan, palette: ['red'] },
    ]) {
      expect(() => readScenePlan(value)).toThrow(
        expect.objectContaining({ code: 'scene_outdated', status: 410 }),
      );
    }
  });

  it('documents the range of every number', () => {
    const missing: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const field = node as Record<string, unknown>;
      const isNumber = (field.type === 'number' || field.type === 'integer') && field.const === undefined;
      if (isNumber && !/\d to \d/.test(String(field.description))) missing.push(path);
      for (const [key, value] of Object.entries(field)) walk(value, `${path}/${key}`);
    };
    // Also proves that the schema can be serialized for a language model or a document.
    walk(scenePlanSchema.toJSONSchema({ reused: 'inline' }), '');
    expect(missing).toEqual([]);
  });

  it('has enough compositions, materials and gobos, without duplicates', () => {
    expect(compositions.length).toBeGreaterThanOrEqual(12);
    expect(materials.length).toBeGreaterThanOrEqual(14);
    expect(gobos.filter((gobo) => gobo !== 'none').length).toBeGreaterThanOrEqual(5);
    for (const names of [compositions, materials, gobos]) expect(new Set(names).size).toBe(names.length);
  });

  it('frames a tall product by its height and a wide one by its width', () => {
    const camera = { tan: 0.2, elevDeg: 10, fillW: 0.6, fillH: 0.5, baseline: 0.2 };
    expect(measureFrame({ ratio: '1:1', subject: { width: 0.4, height: 1 }, camera })).toMatchObject({
      height: 2,
      distance: 5,
    });
    const wide = measureFrame({ ratio: '9:16', subject: { width: 1.35, height: 0.5 }, camera });
    expect(wide.height).toBeCloseTo(1.35 / (0.6 * 0.5625));
  });
});
