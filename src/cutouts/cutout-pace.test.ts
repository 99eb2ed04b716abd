import { describe, expect, it } from 'vitest';
import { createCutoutPace } from './cutout-pace.ts';

describe('the time between finished cutouts', () => {
  it('is 0 before the first cutout, and equals the duration of a cutout if one process makes them all', () => {
    const pace = createCutoutPace(() => 0);
    expect(pace.findPaceMs()).toBe(0);
    pace.note({ tookMs: 900, maker: 'a' });
    expect(pace.findPaceMs()).toBe(900);
  });

  it('halves with a second process, and doubles again once the second process is inactive', () => {
    let now = 0;
    const pace = createCutoutPace(() => now);
    pace.note({ tookMs: 900, maker: 'a' });
    pace.note({ tookMs: 900, maker: 'b' });
    expect(pace.findPaceMs()).toBe(450);
    now = 50_000;
    pace.note({ tookMs: 900, maker: 'a' });
    now = 70_000;
    expect(pace.findPaceMs()).toBe(900);
  });

  it('is at least that of the fastest recent cutout, however long another one hung', () => {
    const pace = createCutoutPace(() => 0);
    expect(pace.findLeastPaceMs()).toBe(0);
    for (const tookMs of [30_000, 40, 60]) pace.note({ tookMs, maker: 'a' });
    expect(pace.findLeastPaceMs()).toBe(40);
    for (let i = 0; i < 8; i++) pace.note({ tookMs: 900, maker: 'a' });
    expect(pace.findLeastPaceMs()).toBe(900);
  });

  it('follows changes gradually', () => {
    const pace = createCutoutPace(() => 0);
    pace.note({ tookMs: 800, maker: 'a' });
    pace.note({ tookMs: 1600, maker: 'a' });
    expect(pace.findPaceMs()).toBe(900);
  });
});
