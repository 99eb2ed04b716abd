/**
 * Suggested scenes by list. Each scene has a placeholder with the final aspect ratio until its picture is drawn.
 */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { usePreview } from '../pictures/use-preview.ts';
import { ratioOf } from '../shared/chips.tsx';
import { Elapsed } from '../shared/elapsed.tsx';
import { describeFailure } from '../shared/error-words.ts';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/words.ts';

export interface Scene {
  readonly key: string;
  readonly title: string;
  readonly request: RenderInput;
}

export interface SceneList {
  readonly id: string;
  readonly title: string;
  readonly scenes: readonly Scene[];
}

interface Props {
  readonly lists: readonly SceneList[];
  readonly previews: PreviewQueue;
  /** Set while suggestions are being loaded: since when, and the aspect ratio of the placeholders. */
  readonly waiting: { readonly since: number; readonly ratio: number } | null;
  /** Key of the scene that was viewed last; its tile gets the keyboard focus. */
  readonly focused: string;
  readonly onOpen: (scene: Scene) => void;
  /** Shows the next page of suggestions; undefined if there are none yet. */
  readonly onMore: (() => void) | undefined;
}

export function SceneGallery({ lists, previews, waiting, focused, onOpen, onMore }: Props): JSX.Element {
  if (lists.length === 0 && !waiting) {
    return (
      <div class="pane pane-empty">
        <Icon name="spark" size={32} />
        <p class="empty-title">{t('A set built around your product')}</p>
        <p class="soft">
          {t(
            'Describe a scene, or leave the field empty. The service plans sets with podiums, stone, wood, cloth or window light.',
          )}
        </p>
      </div>
    );
  }
  return (
    <div class="gallery">
      {lists.map(({ id, title, scenes }) => (
        <section key={id} aria-labelledby={`list-${id}`}>
          <h2 id={`list-${id}`}>{title}</h2>
          <ul class="scenes">
            {scenes.map((scene) => (
              <li key={scene.key}>
                <SceneTile
                  scene={scene}
                  previews={previews}
                  focused={scene.key === focused}
                  onOpen={onOpen}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {onMore && (
        <button type="button" class="button more" onClick={onMore}>
          {t('More scenes')}
        </button>
      )}
      {waiting && (
        <section aria-label={t('Loading suggestions')}>
          <h2>
            {t('Planning scenes')}
            <Elapsed since={waiting.since} />
          </h2>
          <ul class="scenes" aria-hidden="true">
            {[1, 2, 3, 4, 5, 6].map((one) => (
              <li key={one}>
                <div class="skeleton scene-picture" style={{ aspectRatio: `${waiting.ratio}` }} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface TileProps {
  readonly scene: Scene;
  readonly previews: PreviewQueue;
  readonly focused: boolean;
  readonly onOpen: (scene: Scene) => void;
}

function SceneTile({ scene, previews, focused, onOpen }: TileProps): JSX.Element {
  const { url, error, retry } = usePreview(previews, scene.request);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (focused) button.current?.focus();
  }, []);
  const style = { aspectRatio: `${ratioOf(scene.request.variant)}` };
  const failure = error === null ? null : describeFailure(error);
  return (
    <button
      type="button"
      class="bare scene"
      ref={button}
      onClick={() => (failure ? retry() : onOpen(scene))}
      aria-label={
        failure
          ? t('{title}: {title2}. Try again', { title: scene.title, title2: failure.title })
          : scene.title
      }
    >
      <span class="scene-picture" style={style}>
        {url ? (
          <img class="appear" src={url} alt="" />
        ) : failure ? (
          <span class="scene-fault">
            <Icon name="fault" />
            {failure.title}
            <u>{t('Try again')}</u>
          </span>
        ) : (
          <span class="skeleton" />
        )}
      </span>
      <span class="scene-title">{scene.title}</span>
    </button>
  );
}
