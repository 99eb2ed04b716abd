import { describe, expect, it } from 'vitest';
import { readChanged, variants } from './ablation-variants.ts';

describe('what the ablation leaves out', () => {
  it.each([...variants])('still finds its place in the code: %s', (_, change) => {
    expect(readChanged(change)).toContain(change.to);
  });
});
