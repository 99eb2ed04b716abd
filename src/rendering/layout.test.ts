import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edge } from '../../packages/pixels/src/pixels.ts';
import { baselineOf, type LayoutRequest, makeLayout } from './layout.ts';

const square = { width: 1000, height: 1000 };

function layOut(request: Partial<LayoutRequest>) {
  return makeLayout({
    boundingBox: { width: 400, height: 800 },
    touchesEdges: [],
    layout: { align: 'center', margin: 0.1, scale: 1 },
    canvas: square,
    ...request,
  });
}

describe('makeLayout', () => {
  it('centers a tall subject with the margin above and below', () => {
    expect(layOut({}).box).toEqual({ x: 300, y: 100, width: 400, height: 800 });
  });

  it('fits a wide subject between the left and right margins', () => {
    const { box } = layOut({ boundingBox: { width: 800, height: 200 } });
    expect(box).toEqual({ x: 100, y: 400, width: 800, height: 200 });
  });

  it('centers the subject at the caller’s position', () => {
    const layout = { align: 'baseline', margin: 0.1, scale: 0.5, x: 0.25, y: 0.6 } as const;
    const { box, footY } = layOut({ layout });
    expect(box.x + box.width / 2).toBeCloseTo(250, -0.5);
    expect(box.y + box.height / 2).toBeCloseTo(600, -0.5);
    expect(footY).toBe(box.y + box.height);
  });

  it.each([
    [0, 0],
    [1, 1],
  ])('keeps a subject positioned at (%d, %d) inside the canvas, even a cropped subject', (x, y) => {
    const layout = { align: 'center', margin: 0.1, scale: 0.5, x, y } as const;
    const { box } = layOut({ layout, touchesEdges: ['bottom', 'left'] });
    expect(box.x).toBe(x * (1000 - box.width));
    expect(box.y).toBe(y * (1000 - box.height));
  });

  it('puts subjects of different shapes on the same baseline if the canvas is the same', () => {
    const layout = { align: 'baseline', margin: 0.1, scale: 1 } as const;
    const tall = layOut({ layout });
    const flat = layOut({ layout, boundingBox: { width: 900, height: 50 } });
    expect(tall.footY).toBe(Math.round(baselineOf(square)));
    expect(flat.footY).toBe(tall.footY);
  });

  it('puts a cropped subject flush to the canvas edges that match the crop', () => {
    const standing = { align: 'baseline', margin: 0.1, scale: 1 } as const;
    expect(layOut({ touchesEdges: ['bottom'] }).footY).toBe(1000);
    expect(layOut({ touchesEdges: ['bottom'], layout: standing }).footY).toBe(1000);
    expect(layOut({ touchesEdges: ['top'] }).box.y).toBe(0);
    expect(layOut({ touchesEdges: ['left'] }).box.x).toBe(0);
    const { box } = layOut({ touchesEdges: ['right'] });
    expect(box.x + box.width).toBe(1000);
  });

  it('shrinks the subject around its center', () => {
    const { box } = layOut({ layout: { align: 'center', margin: 0.1, scale: 0.5 } });
    expect(box).toEqual({ x: 400, y: 300, width: 200, height: 400 });
  });

  it('keeps the subject inside the canvas for any box, crop, mutations and ratio', () => {
    const edges = fc.subarray<Edge>(['top', 'right', 'bottom', 'left']);
    const side = fc.integer({ min: 1, max: 9000 });
    const layout = fc.record({
      align: fc.constantFrom('center' as const, 'baseline' as const),
      margin: fc.double({ min: 0, max: 0.4, noNaN: true }),
      scale: fc.double({ min: 0.1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        edges,
        side,
        side,
        layout,
        fc.constantFrom(360, 640, 800),
        (cut, width, height, plan, w) => {
          const canvas = { width: w, height: 640 };
          const boundingBox = { x: 0, y: 0, width, height };
          const { box, footY } = makeLayout({ boundingBox, touchesEdges: cut, layout: plan, canvas });
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(0);
          expect(box.width).toBeGreaterThanOrEqual(1);
          expect(box.height).toBeGreaterThanOrEqual(1);
          expect(box.x + box.width).toBeLessThanOrEqual(canvas.width);
          expect(footY).toBeLessThanOrEqual(canvas.height);
        },
      ),
    );
  });
});
