import { expect, it, vi } from 'vitest';
import type { InferenceSession, Tensor } from '../onnxruntime.ts';
import { reserveArena } from './isnet-arena.ts';

it('memory is reserved by one run, which has a larger input than any pass, and is expected to fail', async () => {
  const run = vi.fn(async (_feeds: { readonly input: Tensor }, ..._rest: unknown[]) => {
    throw new Error('Non concat axis dimensions must match');
  });
  await reserveArena({ run } as unknown as InferenceSession);
  expect(run).toHaveBeenCalledOnce();
  const [, , height, width] = run.mock.calls[0]![0].input.dims;
  expect(height).toBe(width);
  expect(height).toBeGreaterThan(1024);
  expect(height! % 64).not.toBe(0);
});
