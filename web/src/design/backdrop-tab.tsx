/** The product on a color, a gradient, a studio surface or nothing: one click, one picture. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RenderInput } from '../../../clients/typescript/src/packshot-client.ts';
import { FullVersion } from '../pictures/full-version.tsx';
import { PictureStage } from '../pictures/picture-stage.tsx';
import type { PreviewQueue } from '../pictures/preview-queue.ts';
import { RecipeTile } from '../pictures/recipe-tile.tsx';
import { Swatches } from '../pictures/swatches.tsx';
import { usePreview } from '../pictures/use-preview.ts';
import { Chips, RatioChips, ratioOf } from '../shared/chips.tsx';
import type { OpenDesign } from './open-design.ts';

const shadows = [
  { id: 'own', title: 'As designed' },
  { id: 'none', title: 'None' },
  { id: 'contact', title: 'Contact' },
] as const;

/** What the solid recipes leave free, as a share of the shorter side. */
const usualMargin = 0.09;

interface Props {
  readonly open: OpenDesign;
  readonly previews: PreviewQueue;
}

export function BackdropTab({ open, previews }: Props): JSX.Element {
  const { design, name, recipes } = open;
  const [variant, setVariant] = useState('1:1');
  // A solid's number, `custom`, or the id of any other recipe.
  const [chosen, setChosen] = useState('0035');
  const [color, setColor] = useState('#d9e4dc');
  const [margin, setMargin] = useState<number | null>(null);
  const [shadow, setShadow] = useState<(typeof shadows)[number]['id']>('own');
  const [made, setMade] = useState<{ key: string; picture: Blob } | null>(null);

  const inFamily = (family: string) => recipes.filter((recipe) => recipe.family === family);
  const solid = /^\d{4}$/.test(chosen) || chosen === 'custom';
  const recipeId = solid
    ? `Solid${variant.replace(':', '_')}_${chosen === 'custom' ? '0035' : chosen}`
    : chosen;
  const recipe = recipes.find(({ id }) => id === recipeId);
  const mutations = {
    ...(margin !== null && { layout: { margin } }),
    ...(shadow !== 'own' && { shadow: { kind: shadow } }),
    ...(chosen === 'custom' && { background: { color } }),
  };
  const request: RenderInput = {
    id: design.id,
    recipeId,
    variant,
    ...(Object.keys(mutations).length > 0 && { mutations }),
  };
  const key = JSON.stringify(request);
  const preview = usePreview(previews, request, true);
  const title = chosen === 'custom' ? color : (recipe?.title ?? recipeId);
  const transparent = recipe?.family === 'transparent';
  const others = [
    { title: 'Gradients', recipes: inFamily('gradient') },
    { title: 'Surfaces', recipes: inFamily('surface') },
  ];

  return (
    <>
      <div class="stage">
        <PictureStage
          title={`${name} on ${title}`}
          size={recipe?.canvas[variant]?.full ?? sizeOfRatio(variant)}
          transparent={transparent}
          preview={preview}
          full={made?.key === key ? made.picture : null}
        />
        <FullVersion
          name="backdrop"
          photo={name}
          title={title}
          request={request}
          transparent={transparent}
          onMade={(picture) => setMade({ key, picture })}
        />
      </div>
      <div class="panel">
        <RatioChips name="backdrop-shape" chosen={variant} onChoose={setVariant} />
        <Swatches
          known={inFamily('solid')}
          transparent={inFamily('transparent')[0]}
          chosen={chosen}
          color={color}
          onChoose={setChosen}
          onColor={setColor}
        />
        {others.map(
          (group) =>
            group.recipes.length > 0 && (
              <fieldset class="group" key={group.title}>
                <legend>{group.title}</legend>
                <div class="tiles">
                  {group.recipes.map((one) => (
                    <RecipeTile
                      key={one.id}
                      name="backdrop"
                      title={one.title}
                      previews={previews}
                      request={{ id: design.id, recipeId: one.id, variant: '1:1' }}
                      checked={chosen === one.id}
                      onChoose={() => setChosen(one.id)}
                    />
                  ))}
                </div>
              </fieldset>
            ),
        )}
        <details class="group adjust">
          <summary>Adjust</summary>
          <div class="field">
            <label for="margin">Free border</label>
            <input
              id="margin"
              class="range"
              type="range"
              min="0"
              max="0.3"
              step="0.01"
              value={margin ?? usualMargin}
              onChange={(event) => setMargin(Number(event.currentTarget.value))}
            />
          </div>
          <fieldset class="group">
            <legend>Shadow</legend>
            <div class="chips">
              <Chips name="shadow" options={shadows} chosen={shadow} onChoose={setShadow} />
            </div>
          </fieldset>
        </details>
      </div>
    </>
  );
}

function sizeOfRatio(variant: string): { width: number; height: number } {
  const ratio = ratioOf(variant);
  return { width: Math.round(2000 * Math.min(1, ratio)), height: Math.round(2000 / Math.max(1, ratio)) };
}
