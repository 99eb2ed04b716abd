import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hueDistance } from './oklch.ts';
import { parsePrompt } from './parse-prompt.ts';

/** Colors as `place:name`, materials as `place:material`. */
const summary = (prompt: string): string => {
  const { colors, materials, materialColor, composition, gobo, light, mood, shapes } = parsePrompt(prompt);
  return [
    ...Object.entries(colors).map(([place, color]) => `${place}:${color.name}`),
    ...Object.entries(materials).map(([place, { material }]) => `${place}:${material}`),
    ...(materialColor ? [`material:${materialColor.name}`] : []),
    ...[composition, gobo, light, mood].filter((value) => value !== undefined),
    ...shapes,
  ].join(' ');
};

const prompts: readonly (readonly [prompt: string, reading: string])[] = [
  ['white marble with soft window light', 'any:marble material:white window'],
  ['on a round white marble podium', 'pedestal:white pedestal:marble podium'],
  ['blue background, yellow podium', 'wall:blue pedestal:yellow podium'],
  ['a yellow podium in front of a blue background', 'pedestal:yellow wall:blue podium'],
  ['rustic wooden table near a window', 'floor:wood table window'],
  ['dark walnut table, moody light', 'floor:wood table dark'],
  ['sandy beach at sunset', 'any:sand dune window warm'],
  ['cozy kitchen counter', 'floor:marble table warm'],
  ['bathroom shelf', 'pedestal:marble shelf'],
  ['desk', 'floor:wood table'],
  ['pink table', 'floor:pink table'],
  ['a splash of water', 'any:water water'],
  ['pool party', ''],
  ['white Christmas background', 'wall:white'],
  ['white towels and a red laptop', ''],
  ['turquoise pool water with palm leaves', 'any:water material:turquoise water palm palm'],
  ['luxury black velvet with gold accents', 'accent:gold any:satin material:black dark'],
  ['navy and gold, elegant', 'wall:navy accent:gold dark'],
  ['concrete blocks, industrial look', 'pedestal:concrete any:concrete block'],
  ['mint terrazzo floor with a pink wall', 'floor:mint wall:pink floor:terrazzo'],
  ['travertine steps, sage green wall', 'wall:sage pedestal:travertine steps'],
  ['lilac silk drapes', 'floor:lilac floor:satin drape'],
  ['flat lay on beige linen with petals', 'any:linen material:beige flatlay petals'],
  ['terracotta plaster wall with palm shadows', 'wall:terracotta wall:plaster palm'],
  ['red backdrop with two red spheres', 'wall:red accent:red sphere'],
  ['background in emerald green, marble plinth', 'wall:emerald pedestal:marble podium'],
  ['the wall is lavender', 'wall:lavender'],
  ['pastel pink arch on a cream background', 'accent:pink wall:cream arch arch'],
  ['glossy orange cube', 'pedestal:orange pedestal:lacquer block'],
  ['fresh spa with pebbles and eucalyptus', 'cool natural branch stone'],
  ['stone podium in a garden', 'pedestal:stone podium natural branch palm'],
  ['red shoes on oak', 'any:wood'],
  ['light blue wall and dark wood floor', 'wall:blue floor:wood'],
  ['blinds shadow on a peach wall', 'wall:peach blinds'],
  ['weißer Marmorsockel vor dunkelblauem Hintergrund', 'pedestal:white wall:blue pedestal:marble podium'],
  ['Holztisch am Fenster, warmes Licht', 'floor:wood table window warm'],
  ['podium en marbre blanc, fond rose', 'pedestal:white wall:rose pedestal:marble podium'],
  ['Morgenlicht auf einer Marmorplatte', 'floor:marble table window warm'],
  ['Gartentisch', 'floor:wood table'],
  ['coucher du soleil', 'window warm'],
  ['fondo azul claro con mesa de madera', 'wall:blue floor:wood table'],
];

describe('parsePrompt', () => {
  it.each(prompts)('reads "%s"', (prompt, reading) => {
    expect(summary(prompt).split(' ').sort()).toEqual(reading.split(' ').sort());
  });

  it('applies tints to a color and keeps its hue', () => {
    const plain = parsePrompt('blue wall').colors.wall!;
    const light = parsePrompt('light blue wall').colors.wall!;
    const bright = parsePrompt('bright blue wall').colors.wall!;
    expect(light.l).toBeGreaterThan(plain.l + 0.05);
    expect(bright.c).toBeGreaterThan(plain.c);
    for (const { h } of [light, bright]) expect(hueDistance(h, plain.h)).toBeLessThan(1);
  });

  it('omits unwanted things', () => {
    const { shapes, unwanted, gobo } = parsePrompt('wooden table without plants, no shadows');
    expect(shapes).toEqual([]);
    expect(unwanted).toContain('branch');
    expect(gobo).toBe('none');
  });

  it('does not apply the product’s color to the set', () => {
    const { colors } = parsePrompt('red sneakers against a grey wall');
    expect(colors).toEqual({ wall: expect.objectContaining({ name: 'gray' }) });
  });

  it('parses any text deterministically, without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), promptSoup), (prompt) => {
        const reading = parsePrompt(prompt);
        expect(parsePrompt(prompt)).toEqual(reading);
      }),
      { numRuns: 100 },
    );
  });
});

const promptSoup = fc
  .array(
    fc.constantFrom(
      ...'dark blue marble podium and with no in of wall gold, white . pink wood table silk arch plants shoes'.split(
        ' ',
      ),
    ),
    { maxLength: 25 },
  )
  .map((words) => words.join(' '));
