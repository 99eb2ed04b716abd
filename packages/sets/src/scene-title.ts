/** Titles of scenes in plain words, such as "Marble podium, sage wall". */
import type { ScenePlan } from 'packshot-studio';
import { materialOf } from './dictionary.ts';
import { nameColor } from './name-color.ts';
import type { SceneFile } from './set-file.ts';
import type { Wanted } from './wanted.ts';

/** Places of a plan's palette. */
const paints = ['wall', 'floor', 'stand', 'accent'];

/** What a product stands on, as titles and tags call it. */
const standNames = ['podium', 'block', 'shelf', 'steps', 'rocks', 'folds'];

/** Fills the names of colors into a title, and the material that a prompt asked for instead of the set's own. */
export function titleScene(file: SceneFile, plan: ScenePlan, wanted: Wanted | undefined): string {
  const { palette, pedestal, surface, composition } = plan;
  const top = pedestal?.levels.at(-1) ?? surface;
  const own = file.kind === 'place' ? file.ground : (file.stand?.levels.at(-1) ?? file.floor);
  const parts = file.title.split(', ');
  const stand =
    file.kind === 'set' && file.stand ? standNames.find((name) => file.tags.includes(name)) : undefined;
  // A title begins with the ground; only what a product stands on can be named later, or not at all.
  const others = stand ? parts.filter((part) => !part.toLowerCase().includes(stand)) : parts.slice(1);
  const asked = wanted?.tags.find((tag) => materialOf(tag) === top.material);
  const title =
    top.material === own.material || !asked
      ? file.title
      : [`${asked.replaceAll('-', ' ')} ${stand ?? 'table'}`, ...others.map(uncapitalize)].join(', ');
  // A product that hangs, or that the photo crops at its foot, stands on nothing: only the place behind it is named.
  const isHung = file.kind === 'place' && composition === 'flatlay';
  const filled = (isHung ? title.split(', ').at(-1)! : title).replace(
    /\{(wall|floor|stand|accent)\}/g,
    (_, part: string) => nameColor(palette[paints.indexOf(part)]!),
  );
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}

const uncapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
