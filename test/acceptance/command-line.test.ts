import { describe, expect, it } from 'vitest';
import { packshot } from './command.ts';

const said = async (...words: string[]) => (await packshot(words)).stdout.toString();

describe('packshot recipes', () => {
  it('gives an overview of the families, and how to list one', async () => {
    const overview = await said('recipes');
    expect(overview).toMatch(/^FAMILY +RECIPES .*\nsolid +540 [\s\S]*\nsurface +6 /);
    expect(overview).toContain('packshot recipes --family solid');
    expect(overview.split('\n').length).toBeLessThan(20);
  });

  it('lists a family, or those of a ratio, and all of them for programs', async () => {
    expect((await said('recipes', '--family', 'gradient')).trim().split('\n')).toHaveLength(9);
    expect(await said('recipes', '--family', 'solid', '--ratio', '4:5')).toMatch(
      /^ID +TITLE +RATIOS\nSolid4_5_0001 +Black +4:5\n/,
    );
    expect(JSON.parse(await said('recipes', '--json'))).toHaveLength(555);
  });

  it('answers an unknown family with those that there are', async () => {
    expect(await packshot(['recipes', '--family', 'wood'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('solid, transparent, gradient, surface'),
    });
  });
});
