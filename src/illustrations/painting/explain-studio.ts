/** The warning for a scene that the built-in renderer (studio) drew although an engine should have painted it. */
import type { RenderWarning } from '../../rendering/draw-picture.ts';
import type { RenderTargetName } from '../../rendering/render-target.ts';
import type { Painting } from './painting.ts';

/** Says why the studio drew the scene. Empty without an engine, and for a preview whose painting is still pending. */
export function explainStudio(
  painting: Pick<Painting & { state: 'failed' }, 'state' | 'failure'> | Painting | undefined,
  size: RenderTargetName,
): RenderWarning[] {
  if (painting === undefined || (painting.state === 'waiting' && size === 'preview')) return [];
  const why = painting.state === 'failed' ? painting.failure : 'the engine is not done yet';
  return [{ code: 'illustration_fallback', detail: `The embedded studio drew this scene: ${why}.` }];
}
