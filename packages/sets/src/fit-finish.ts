/** Fills a finish slot: the usual numbers of its material, and colors from the palette or the material's own. */
import { clamp } from 'packshot-pixels';
import type { Finish, Material } from 'packshot-studio';
import type { Part } from './color-wish.ts';
import { hexFromOklch, type Oklch, oklchFromHex } from './oklch.ts';
import type { ScenePalette } from './palette.ts';
import type { FinishSlot } from './set-file.ts';

interface MaterialFacts {
  /** `#RRGGBB`: base and second color; empty for materials that are always painted. */
  readonly own: readonly string[];
  readonly roughness: number;
  readonly bump: number;
  readonly scale: number;
}

export const materialFacts: Readonly<Record<Material, MaterialFacts>> = {
  plaster: { own: [], roughness: 0.9, bump: 0.2, scale: 0.9 },
  matte: { own: [], roughness: 0.7, bump: 0, scale: 1 },
  lacquer: { own: [], roughness: 0.14, bump: 0, scale: 1 },
  marble: { own: ['#F4F2EF', '#AEAEB2'], roughness: 0.17, bump: 0, scale: 1.1 },
  travertine: { own: ['#E4D6BE', '#C4A983'], roughness: 0.45, bump: 0.35, scale: 1.3 },
  wood: { own: ['#AC9071', '#7A5F47'], roughness: 0.4, bump: 0.7, scale: 1.5 },
  concrete: { own: ['#A9AAAB'], roughness: 0.75, bump: 0.6, scale: 1 },
  terrazzo: { own: ['#F1ECE4'], roughness: 0.2, bump: 0, scale: 1.7 },
  linen: { own: ['#ECE4D6'], roughness: 1, bump: 0.8, scale: 0.8 },
  satin: { own: [], roughness: 0.38, bump: 0, scale: 1 },
  sand: { own: ['#DCB98F'], roughness: 1, bump: 0.8, scale: 0.8 },
  stone: { own: ['#8F8D89'], roughness: 0.36, bump: 0.05, scale: 2.2 },
  water: { own: ['#3A7478'], roughness: 0.03, bump: 1, scale: 1.1 },
  metal: { own: ['#D8A94A'], roughness: 0.28, bump: 0, scale: 1 },
  leaf: { own: ['#46653A', '#86A05A'], roughness: 0.5, bump: 0, scale: 1 },
  petal: { own: ['#E7B8AB', '#F4DCD2'], roughness: 0.7, bump: 0, scale: 1 },
};

export function fitFinish(slot: FinishSlot, part: Part, palette: ScenePalette): Finish {
  const { material } = slot;
  const facts = materialFacts[material];
  const paint = slot.paint ?? (facts.own.length > 0 ? facts.own : part);
  const base = typeof paint === 'string' ? palette[paint] : oklchFromHex(paint[0]!);
  const colors = typeof paint === 'string' ? [hexFromOklch(base)] : [...paint];
  if (colors.length === 1) colors.push(...moreColors(material, base, palette));
  return {
    material,
    colors,
    scale: slot.scale ?? facts.scale,
    roughness: slot.roughness ?? facts.roughness,
    bump: slot.bump ?? facts.bump,
    ...(slot.wear !== undefined && { wear: slot.wear }),
  };
}

/** Veins, bands, grain, leaf tips and chips. */
function moreColors(material: Material, { l, c, h }: Oklch, palette: ScenePalette): string[] {
  switch (material) {
    case 'marble':
      // On dark stone, bright veins would look like light on water.
      return [
        hexFromOklch(
          l < 0.5 ? { l: l + 0.15, c: 0.02, h: 85 } : { l: l - 0.33, c: Math.max(0.008, c * 0.8), h },
        ),
      ];
    case 'travertine':
      return [hexFromOklch({ l: l - 0.14, c: c + 0.025, h: h - 6 })];
    case 'wood':
      return [hexFromOklch({ l: l - 0.19, c: c * 0.95, h: h - 6 })];
    case 'leaf':
    case 'petal':
      return [hexFromOklch({ l: l + 0.09, c: c * 0.7, h })];
    case 'terrazzo':
      return [
        ...[palette.accent, palette.wall, { l: 0.62, c: 0.07, h: 42 }].map((chip) =>
          hexFromOklch({ l: clamp(chip.l - 0.08, 0.35, 0.8), c: clamp(chip.c * 1.3, 0.04, 0.12), h: chip.h }),
        ),
        hexFromOklch({ l: clamp(l - 0.1, 0.3, 0.9), c: 0.045, h: 80 }),
        hexFromOklch({ l: clamp(l - 0.3, 0.25, 0.7), c: 0.012, h: 265 }),
      ];
    default:
      return [];
  }
}
