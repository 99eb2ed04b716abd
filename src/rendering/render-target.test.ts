import { expect, it } from 'vitest';
import { variants } from '../../packages/pixels/ratios.ts';
import { canvasSize, renderTarget } from './render-target.ts';

it('makes the longer side exactly 2000 or 640 pixels in every aspect ratio', () => {
  for (const variant of variants) {
    for (const name of ['generated', 'preview'] as const) {
      const { longEdgePx } = renderTarget(name, 'jpeg');
      const { width, height } = canvasSize(variant, longEdgePx);
      expect(Math.max(width, height)).toBe(name === 'generated' ? 2000 : 640);
      const [w, h] = variant.split(':').map(Number) as [number, number];
      expect(Math.abs(width / height - w / h)).toBeLessThan(0.003);
    }
  }
});
