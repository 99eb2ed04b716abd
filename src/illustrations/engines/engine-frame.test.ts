import { describe, expect, it } from 'vitest';
import { variants } from '../../../packages/pixels/ratios.ts';
import { canvasSize } from '../../rendering/render-target.ts';
import { providerTraits } from './ai-sdk-providers.ts';
import { fitFrame, nearestFrame, nearestRatio } from './engine-frame.ts';

describe('fitFrame', () => {
  it('is the same for a preview and a full version', () => {
    for (const variant of variants)
      expect(fitFrame(canvasSize(variant, 640), 1024, 8)).toEqual(
        fitFrame(canvasSize(variant, 2000), 1024, 8),
      );
  });

  it('keeps every aspect ratio of the catalogue, in multiples of the block size', () => {
    for (const variant of variants) {
      const canvas = canvasSize(variant, 2000);
      const frame = fitFrame(canvas, 1024, 16);
      expect([frame.width % 16, frame.height % 16, Math.max(frame.width, frame.height)]).toEqual([
        0, 0, 1024,
      ]);
      expect((frame.width * canvas.height) / (frame.height * canvas.width)).toBeCloseTo(1, 1);
    }
  });

  it('gives every side at least one block', () => {
    expect(fitFrame({ width: 10_000, height: 10 }, 512, 16)).toEqual({ width: 512, height: 16 });
  });
});

describe('nearest frames', () => {
  const frames = [
    { width: 100, height: 100 },
    { width: 150, height: 100 },
  ];

  it('are chosen by aspect ratio, not by size', () => {
    expect(nearestFrame({ width: 2000, height: 1900 }, frames)).toBe(frames[0]);
    expect(nearestFrame({ width: 16, height: 9 }, frames)).toBe(frames[1]);
    expect(nearestRatio({ width: 640, height: 512 }, ['1:1', '5:4', '4:3'])).toBe('5:4');
  });
});

describe('the sizes of the newer OpenAI models', () => {
  it('are within the models’ limits for every aspect ratio of the catalogue', () => {
    for (const variant of variants) {
      const about = { model: 'gpt-image-2', edit: false, longSidePx: 512 };
      const { width, height } = providerTraits.openai.frameOf(canvasSize(variant, 640), about).frame;
      expect(width * height).toBeGreaterThanOrEqual(655_360);
      expect(Math.max(width / height, height / width)).toBeLessThanOrEqual(3);
    }
  });
});
