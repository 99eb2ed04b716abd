/** What the parts of a set need to know of each other. */
import type { Camera, Frame, ScenePlan } from 'packshot-studio';
import type { ScenePalette } from './palette.ts';

export interface Stage {
  readonly subject: ScenePlan['subject'];
  readonly camera: Camera;
  readonly frame: Frame;
  readonly palette: ScenePalette;
  readonly wallZ: number;
  /** The light's side: sets are written with light from the left (-1), and mirrored for products lit from the right. */
  readonly side: -1 | 1;
  readonly seed: number;
}
