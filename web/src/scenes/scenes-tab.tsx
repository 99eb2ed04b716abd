/** Scenes for the product: the user requests them with a prompt, sees them in lists, and opens one at a time. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Suggestions } from '../../../clients/typescript/src/packshot-client.ts';
import type { OpenDesign } from '../design/open-design.ts';
import { Adjust } from '../pictures/adjust.tsx';
import { type Adjustments, ownBackdrop } from '../pictures/backdrop-choice.ts';
import { FullVersion } from '../pictures/full-version.tsx';
import { PictureStage } from '../pictures/picture-stage.tsx';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { UseForAll } from '../pictures/use-for-all.tsx';
import { usePreview } from '../pictures/use-preview.ts';
import { ratioOf } from '../shared/chips.tsx';
import { Icon } from '../shared/icons.tsx';
import { useSession } from '../shared/session.ts';
import { useTask } from '../shared/use-task.ts';
import { t } from '../shared/words.ts';
import { SceneForm, type SceneWish } from './scene-form.tsx';
import { type Scene, SceneGallery, type SceneList } from './scene-gallery.tsx';

interface Props {
  readonly open: OpenDesign;
  readonly previews: PreviewQueue;
}

interface Found {
  readonly lists: readonly SceneList[];
  readonly words: Suggestions['prompt'];
}

export function ScenesTab({ open, previews }: Props): JSX.Element {
  const { client, announce } = useSession();
  const task = useTask();
  const [wish, setWish] = useState<SceneWish>({
    prompt: '',
    variant: '4:5',
    preset: 'AI_STUDIO',
    ownPreset: '',
    kind: '',
  });
  const { variant } = wish;
  const [found, setFound] = useState<Found | null>(null);
  const page = useRef(1);
  const [shown, setShown] = useState<Scene | null>(null);
  const last = useRef('');
  const stage = useRef<HTMLDivElement>(null);

  function suggest(next = 1): void {
    if (task.running) return;
    page.current = next;
    setShown(null);
    showGallery(stage.current);
    task.start(async (signal) => {
      const answer = await client.suggest(
        {
          id: open.design.id,
          recipePreset: wish.preset === 'own' ? wish.ownPreset.trim() : wish.preset,
          ...(wish.prompt.trim() && { prompt: wish.prompt.trim() }),
          ...(wish.kind && { productKind: wish.kind }),
          ...(next > 1 && { page: next }),
          filters: { aspectRatio: variant },
        },
        { signal },
      );
      const lists = answer.suggestedRecipeLists.map(({ id, title, recipes }) => ({
        id,
        title,
        scenes: recipes.map(({ title, ...recipe }, index) => ({
          key: `${id}-${next}-${index}`,
          title,
          request: { id: open.design.id, ...recipe },
        })),
      }));
      setFound({ lists, words: answer.prompt });
      announce(
        t('{count} scenes suggested.', {
          count: lists.reduce((sum, { scenes }) => sum + scenes.length, 0),
        }),
      );
    });
  }
  const guess = open.design.productKind?.kind;
  const close = () => {
    if (shown) last.current = shown.key;
    setShown(null);
  };

  return (
    <>
      <div class="stage" ref={stage}>
        {shown ? (
          <OpenScene open={open} scene={shown} previews={previews} onBack={close} />
        ) : (
          <SceneGallery
            lists={task.running ? [] : (found?.lists ?? [])}
            previews={previews}
            waiting={task.running ? { since: task.since, ratio: ratioOf(variant) } : null}
            focused={last.current}
            onOpen={setShown}
            onMore={found && !task.running ? () => suggest(page.current + 1) : undefined}
          />
        )}
      </div>
      <SceneForm
        wish={wish}
        kindGuess={guess && guess !== 'Unknown' ? guess : undefined}
        words={found?.words}
        planning={task}
        onWish={setWish}
        onSuggest={() => suggest()}
      />
    </>
  );
}

/**
 * On a phone the scenes are below the form, so without scrolling, pressing the button would appear to do
 * nothing.
 */
function showGallery(stage: HTMLElement | null): void {
  if (!stage || stage.getBoundingClientRect().top < innerHeight / 2) return;
  // After the next paint, when the placeholders exist.
  setTimeout(() => stage.scrollIntoView());
}

interface OpenSceneProps {
  readonly open: OpenDesign;
  readonly scene: Scene;
  readonly previews: PreviewQueue;
  readonly onBack: () => void;
}

function OpenScene({ open, scene, previews, onBack }: OpenSceneProps): JSX.Element {
  const [full, setFull] = useState<Blob | null>(null);
  const [adjust, setAdjust] = useState<Adjustments>({});
  const request = { ...scene.request, mutations: { ...scene.request.mutations, ...adjust } };
  const preview = usePreview(previews, request, true);
  useEffect(() => setFull(null), [adjust]);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const { id: _, ...recipe } = request;
  // A look is for every product, and turns none.
  const { rotate: _turn, ...layout } = adjust.layout ?? {};
  const kept = { ...recipe.mutations, ...(adjust.layout && { layout }) };
  const { recipeId, variant } = recipe;
  const canvas = open.recipes.find(({ id }) => id === recipeId)?.canvas[variant]?.full;
  const transparent = recipeId === 'Transp001';
  return (
    <>
      <button type="button" class="button plain back" ref={back} onClick={onBack}>
        <Icon name="arrowLeft" /> {t('All scenes')}
      </button>
      <PictureStage
        title={scene.title}
        size={canvas ?? { width: 2000, height: Math.round(2000 / ratioOf(variant)) }}
        transparent={transparent}
        preview={preview}
        full={full}
      />
      <FullVersion
        name="scene"
        photo={open.name}
        title={scene.title}
        request={request}
        transparent={transparent}
        onMade={setFull}
      />
      <UseForAll
        project={open.design.project}
        backdrop={{ ...recipe, mutations: kept, title: scene.title }}
      />
      <Adjust
        name="scene"
        adjust={adjust}
        ownMargin={null}
        fill={null}
        isScene={recipeId === ownBackdrop}
        onChange={setAdjust}
      />
    </>
  );
}
