/** What callers are told of a scene that the embedded studio drew although an engine was to paint it. */
import type { RenderWarning } from '../../rendering/draw-picture.ts';
import type { RenderTargetName } from '../../rendering/render-target.ts';
import type { Painting } from './painting-store.ts';

/** Nothing for a preview that is only early; for all else, why the picture is not the engine's. */
export function explainStudio(
  painting: Pick<Painting & { state: 'failed' }, 'state' | 'failure'> | Painting | undefined,
  size: RenderTargetName,
): RenderWarning[] {
  if (painting === undefined || (painting.state === 'waiting' && size === 'preview')) return [];
  const why = painting.state === 'failed' ? painting.failure : 'the engine is not done yet';
  return [{ code: 'illustration_fallback', detail: `The embedded studio drew this scene: ${why}.` }];
}
