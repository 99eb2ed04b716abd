/** Puts what a prompt wants into a set's slots: materials and colors of its parts. */
import { isDeepStrictEqual } from 'node:util';
import { clamp } from 'packshot-pixels';
import type { Part } from './color-wish.ts';
import { materialFacts } from './fit-finish.ts';
import { hexFromOklch, oklchFromHex } from './oklch.ts';
import type { FinishSlot, SetFile } from './set-file.ts';
import type { Wanted, WantedMaterial } from './wanted.ts';

export function wantSet(set: SetFile, wanted: Wanted | undefined): SetFile {
  if (wanted === undefined) return set;
  const { colors, materials } = wanted;
  const own = [set.floor, ...(set.stand?.levels ?? []), set.wall].map(({ material }) => material);
  const isFlat = set.composition === 'flatlay';
  const anyPart: Part = set.stand ? 'stand' : 'floor';
  const wantOf = (part: Part): WantedMaterial | undefined =>
    materials[part] ??
    (materials.any && (part === anyPart ? !own.includes(materials.any.material) : false)
      ? materials.any
      : undefined);
  const fill = <S extends FinishSlot>(slot: S, part: Part): S => {
    const asked = wantOf(part);
    const same = materials.any?.material === slot.material ? materials.any : undefined;
    const material = asked ?? same;
    const isPainted = colors[part] !== undefined;
    const base = material
      ? { ...withoutNumbers(slot), material: material.material, paint: paintOf(material) ?? slot.paint }
      : slot;
    if (asked && !isDeepStrictEqual(asked.material, slot.material) && !paintOf(asked))
      return { ...base, paint: isPainted ? part : undefined };
    return isPainted ? { ...base, paint: part } : base;
  };
  const metal = colors.stand?.isMetal ? { material: 'metal' as const, colors: [], lighten: 0 } : undefined;
  const floor = fill(set.floor, isFlat && materials.floor === undefined && materials.wall ? 'wall' : 'floor');
  return {
    ...set,
    wall: isFlat ? set.wall : fill(set.wall, 'wall'),
    floor: isFlat && colors.wall && !colors.floor ? { ...floor, paint: 'wall' } : floor,
    ...(set.stand && {
      stand: {
        ...set.stand,
        levels: set.stand.levels.map((level) =>
          metal
            ? { ...withoutNumbers(level), material: 'metal' as const, paint: 'stand' as const }
            : fill(level, 'stand'),
        ),
      },
    }),
  };
}

/** Another material has its own usual numbers. */
function withoutNumbers<S extends FinishSlot>(slot: S): S {
  return { ...slot, scale: undefined, roughness: undefined, bump: undefined };
}

function paintOf({ material, colors, lighten }: WantedMaterial): string[] | undefined {
  const own = colors.length > 0 ? colors : lighten === 0 ? [] : materialFacts[material].own;
  if (own.length === 0) return undefined;
  return own.map((hex) => {
    const { l, c, h } = oklchFromHex(hex);
    return lighten === 0 ? hex : hexFromOklch({ l: clamp(l + lighten, 0.2, 0.95), c, h });
  });
}
