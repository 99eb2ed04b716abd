/** Prompts and what a correct plan must show; shared by the planner's tests and the scene evaluation. */
import type { Composition, GoboKind, Material, Shape } from '../../studio/scene-plan.ts';

export interface PromptCase {
  readonly prompt: string;
  /** Required in at least one part of the set. */
  readonly material?: Material;
  /** OKLCH hue in degrees, tolerance 15; checked only if the wall has enough chroma for a hue. */
  readonly wallHue?: number;
  /** Hue of the pedestal and of the accent, checked in the same way. */
  readonly pedestalHue?: number;
  readonly accentHue?: number;
  readonly composition?: Composition;
  readonly gobo?: GoboKind;
  /** Required among the props. */
  readonly shape?: Shape;
  readonly absent?: readonly Shape[];
  /** The wall's lightness is below 0.5. */
  readonly isDark?: boolean;
  /** Color of the key light. */
  readonly light?: 'warm' | 'cool';
}

export const promptCases: readonly PromptCase[] = [
  { prompt: 'white marble with window light', material: 'marble', gobo: 'window' },
  { prompt: 'on a marble podium, sage green wall', material: 'marble', wallHue: 135 },
  { prompt: 'navy background with gold accents', material: 'metal', wallHue: 260, isDark: true },
  { prompt: 'turquoise water with palm leaves', material: 'water', composition: 'water', shape: 'palm' },
  { prompt: 'warm sandy desert at sunset', material: 'sand', composition: 'dune', light: 'warm' },
  { prompt: 'mint terrazzo', material: 'terrazzo' },
  { prompt: 'dark walnut table', material: 'wood', composition: 'table' },
  { prompt: 'oak shelf, light blue wall', material: 'wood', wallHue: 255, composition: 'shelf' },
  { prompt: 'lilac silk drapes', material: 'satin', wallHue: 300, composition: 'drape' },
  { prompt: 'beige linen flat lay', material: 'linen', composition: 'flatlay' },
  { prompt: 'concrete blocks, hard light through blinds', material: 'concrete', gobo: 'blinds' },
  { prompt: 'terracotta plaster wall', material: 'plaster', wallHue: 42 },
  { prompt: 'travertine steps and a peach wall', material: 'travertine', wallHue: 60, composition: 'steps' },
  { prompt: 'slate rocks, moody', material: 'stone', isDark: true },
  { prompt: 'yellow podium on a blue background', wallHue: 255, pedestalHue: 95 },
  { prompt: 'pink arch, cream backdrop', wallHue: 90, accentHue: 5, shape: 'arch' },
  { prompt: 'emerald velvet', material: 'satin', wallHue: 165 },
  { prompt: 'red backdrop', wallHue: 27 },
  { prompt: 'glossy black pedestal, purple background', material: 'lacquer', wallHue: 300 },
  { prompt: 'coral wall, wooden floor', material: 'wood', wallHue: 30 },
  { prompt: 'fresh winter morning, cool light', light: 'cool', gobo: 'window' },
  { prompt: 'botanical garden with dappled light', composition: 'garden', gobo: 'foliage' },
  {
    prompt: 'wooden table without plants',
    material: 'wood',
    absent: ['branch', 'palm', 'olive', 'monstera'],
  },
  { prompt: 'pastel spheres and petals', shape: 'sphere' },
  { prompt: 'weißer Marmor, grüner Hintergrund', material: 'marble', wallHue: 145 },
  { prompt: 'Holztisch am Fenster, Morgensonne', material: 'wood', gobo: 'window' },
  { prompt: 'table en bois, mur jaune', material: 'wood', wallHue: 95 },
  { prompt: 'podio de hormigón, fondo naranja', material: 'concrete', wallHue: 60 },
];
