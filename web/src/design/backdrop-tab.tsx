/** The product on a color, a gradient, a studio surface or a transparent background; each click shows a picture. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { PictureCheck } from '../checks/picture-check.tsx';
import { useCatalogue } from '../photos/use-catalogue.ts';
import {
  type BackdropChoice,
  backdropOf,
  firstChoice,
  ownAdjust,
  savedChoice,
  uncut,
} from '../pictures/backdrop-choice.ts';
import { BackdropChooser } from '../pictures/backdrop-chooser.tsx';
import { FullVersion } from '../pictures/full-version.tsx';
import { PictureStage } from '../pictures/picture-stage.tsx';
import { placeProduct, sizeOfRatio, turnProduct } from '../pictures/place-product.ts';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { ProductHands } from '../pictures/product-hands.tsx';
import { UseForAll } from '../pictures/use-for-all.tsx';
import { useOutline } from '../pictures/use-outline.ts';
import { usePreview } from '../pictures/use-preview.ts';
import { useSession } from '../shared/session.ts';
import { t, translate } from '../shared/words.ts';
import type { OpenDesign } from './open-design.ts';

interface Props {
  readonly open: OpenDesign;
  readonly previews: PreviewQueue;
  /** Whether the photo shall be left as it is, until `onUncut`. */
  readonly isUncut: boolean;
  readonly onUncut: () => void;
  readonly onScenes: () => void;
}

export function BackdropTab({ open, previews, isUncut, onUncut, onScenes }: Props): JSX.Element {
  const { design, name, recipes } = open;
  const { findDress, dress, forgetLook } = useSession();
  // A photo of the list is shown as the list makes it, and what is chosen here is what the list makes.
  const listed = findDress(design.id);
  /** Choices for designs that are in no list. */
  const [own] = useState(() => new Map<string, BackdropChoice>());
  const [, redraw] = useState<BackdropChoice>();
  /** Asked when a change comes: a slow upload ends after other changes, or when another photo is shown. */
  const latestChoice = () => findDress(design.id)?.choice ?? own.get(design.id) ?? firstChoice;
  const choice = latestChoice();
  const [made, setMade] = useState<{ key: string; picture: Blob } | null>(null);

  const look = listed && { ...listed, id: listed.choice.chosen, variants: [listed.choice.variant] };
  const { looks, reload } = useCatalogue(true);
  const known = [...looks, ...recipes, ...(look ? [look] : [])];
  const { title, ...backdrop } = backdropOf(choice, known);
  const recipe = recipes.find(({ id }) => id === backdrop.recipeId);
  const request: RenderInput = { id: design.id, ...backdrop };
  const key = JSON.stringify(request);
  const preview = usePreview(previews, request, true);
  const transparent = recipe?.family === 'transparent';

  const outline = useOutline(open.cutout, design.subject);
  const layout = choice.adjust?.layout;
  const product = outline && turnProduct(outline, layout?.rotate);
  const { margin = null, align = null } = recipe ?? {};
  const placed = margin !== null && align !== null && choice.adjust?.cutout !== 'none' && { margin, align };

  function change(next: Partial<BackdropChoice>): void {
    const all = { ...latestChoice(), ...next };
    own.set(design.id, all);
    dress(design.id, backdropOf(all, known), all);
    redraw(all);
  }
  useEffect(() => {
    if (!isUncut) return;
    change(uncut(latestChoice()));
    onUncut();
  }, [isUncut]);
  return (
    <>
      <div class="stage">
        <PictureStage
          title={t('{name} on {title}', { name, title: translate(title) })}
          size={recipe?.canvas[request.variant]?.full ?? sizeOfRatio(request.variant)}
          transparent={transparent}
          preview={preview}
          full={made?.key === key ? made.picture : null}
          product={placed && product ? placeProduct(placed, layout, request.variant, product) : undefined}
        >
          {placed && outline && design.subject && (
            <ProductHands
              own={placed}
              {...{ layout, outline }}
              variant={request.variant}
              cutout={open.cutout}
              boundingBox={design.subject.boundingBox}
              image={design.image}
              isDrawn={preview.url !== null || made?.key === key}
              onChange={(next) => change({ adjust: { ...choice.adjust, layout: next } })}
            />
          )}
        </PictureStage>
        <FullVersion
          name="backdrop"
          photo={name}
          title={title}
          request={request}
          transparent={transparent}
          onMade={(picture) => setMade({ key, picture })}
        />
        <UseForAll project={design.project} backdrop={{ ...backdrop, title }} choice={choice} />
      </div>
      <div class="panel">
        <BackdropChooser
          name="backdrop"
          {...{ recipes, looks, onScenes }}
          onLooks={reload}
          onLookSaved={(saved, from) => {
            const next = savedChoice(latestChoice(), saved, from, recipes);
            if (next) change(next);
          }}
          onLookDeleted={({ id }) => {
            forgetLook(id, recipes);
            const left = latestChoice();
            if (left.chosen === id) change({ ...firstChoice, adjust: ownAdjust(left.adjust) });
          }}
          sampleId={design.id}
          {...(product && { product })}
          previews={previews}
          choice={choice}
          onChange={change}
        >
          <PictureCheck {...{ request, choice }} onFix={change} />
        </BackdropChooser>
      </div>
    </>
  );
}
