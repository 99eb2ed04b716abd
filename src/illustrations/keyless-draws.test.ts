import { describe, expect, it } from 'vitest';
import { createKeylessDraws } from './keyless-draws.ts';

const { signal } = new AbortController();

describe('illustrations requested without a key', () => {
  it('are drawn a few at a time per account; a limited number wait, and the rest get 429 with Retry-After', async () => {
    const draw = createKeylessDraws(2);
    const released = Promise.withResolvers<void>();
    let drawing = 0;
    let most = 0;
    const slowly = async () => {
      most = Math.max(most, ++drawing);
      await released.promise;
      drawing--;
    };
    const asked = Array.from({ length: 18 }, () => draw('acc_a', signal, slowly));
    await expect(draw('acc_a', signal, slowly)).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterS: 5,
    });
    expect(await draw('acc_b', signal, async () => 'drawn')).toBe('drawn');
    expect(drawing).toBe(2);
    released.resolve();
    await Promise.all(asked);
    expect(most).toBe(2);
  });

  it('release their slot if drawing fails', async () => {
    const draw = createKeylessDraws(1);
    const fail = async () => {
      throw new Error('broken');
    };
    for (let i = 0; i < 3; i++) await expect(draw('acc_a', signal, fail)).rejects.toThrow('broken');
  });
});
