/**
 * Chooser for everything that products can be placed on. The first choice is what the pictures are for: marketplaces,
 * the own shop, or a scene.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Look, RecipeInput, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { Chips, RatioChips } from '../shared/chips.tsx';
import { Icon } from '../shared/icons.tsx';
import { t } from '../shared/words.ts';
import { Adjust } from './adjust.tsx';
import { type BackdropChoice, backdropOf, lookOf } from './backdrop-choice.ts';
import { LogoChoice, LookActions, OwnBackdrop, SaveLook } from './brand.tsx';
import { fillOf, type Product } from './place-product.ts';
import type { PreviewQueue } from './preview-queue.ts';
import { RecipeTile } from './recipe-tile.tsx';
import { Swatches } from './swatches.tsx';

interface Props {
  /** Prefix for the names of the chooser's fields, which must be unique on the page. */
  readonly name: string;
  readonly recipes: Recipes['recipes'];
  /** Looks that the account saved. */
  readonly looks?: readonly Look[];
  /** Id of the design whose product the small pictures show; null if there is none yet. */
  readonly sampleId: string | null;
  /** The only product that the choice is for. */
  readonly product?: Product;
  readonly previews: PreviewQueue;
  readonly choice: BackdropChoice;
  /** Changes the newest choice, which may be newer than `choice`. */
  readonly onChange: (change: Partial<BackdropChoice>) => void;
  /** Called when a look was saved, renamed or deleted. */
  readonly onLooks: () => void;
  /** Called when a choice, whose content is `from`, was saved as a look. */
  readonly onLookSaved: (look: Look, from: RecipeInput) => void;
  /** Called when a look was deleted, so that no photo keeps it. */
  readonly onLookDeleted: (look: Look) => void;
  /** Opens the suggestions of scenes; undefined if there is no product yet. */
  readonly onScenes?: (() => void) | undefined;
  /** What else there is for marketplaces. */
  readonly children?: ComponentChildren;
}

const purposes = [
  { id: 'market', title: 'For marketplaces' },
  { id: 'shop', title: 'For my shop' },
  { id: 'scene', title: 'In a scene' },
] as const;
type Purpose = (typeof purposes)[number]['id'];

export function BackdropChooser(props: Props): JSX.Element {
  const { name, recipes, looks = [], product = null, choice, onChange, onLooks, onScenes } = props;
  const inFamily = (family: string) => recipes.filter((recipe) => recipe.family === family);
  // Listing recipes differ in the marketplaces whose rules they meet, but all are white, so only one is offered.
  const mains = inFamily('listing');
  const main = mains.find(({ id }) => id === choice.chosen) ?? mains[0];
  const listing = main ? [{ ...main, title: 'Main image' }] : [];
  const scenes = looks.filter(({ kind }) => kind === 'scene' || kind === 'place');
  const own = looks.filter((look) => !scenes.includes(look));
  const look = looks.find(({ id }) => id === choice.chosen);
  const fitting: Purpose = choice.chosen.startsWith('Listing_')
    ? 'market'
    : look && scenes.includes(look)
      ? 'scene'
      : 'shop';
  const [asked, setAsked] = useState<{ purpose: Purpose; of: string } | null>(null);
  const purpose = asked?.of === choice.chosen ? asked.purpose : fitting;
  const lookActions = look && (
    <LookActions
      look={look}
      onChanged={onLooks}
      onDeleted={(gone) => {
        props.onLookDeleted(gone);
        onLooks();
      }}
    />
  );
  const { recipeId, variant } = backdropOf(choice, recipes);
  const { margin = null, align = null } = recipes.find(({ id }) => id === recipeId) ?? {};
  const fill =
    margin === null || align === null
      ? null
      : fillOf({ margin, align }, choice.adjust?.layout, variant, product);
  const percent = Math.floor(100 * (fill ?? 0) + 1e-6);
  return (
    <>
      <Chips
        label={t('What the pictures are for')}
        kind="segments"
        name={`${name}-purpose`}
        options={purposes}
        chosen={purpose}
        onChoose={(next) => setAsked({ purpose: next, of: choice.chosen })}
      />
      {purpose === 'market' && (
        <>
          <Tiles {...props} title={t('White, as marketplaces want it')} recipes={listing} />
          {props.children}
        </>
      )}
      {purpose === 'scene' && (
        <>
          <Tiles {...props} title={t('Your scenes')} recipes={scenes} />
          {fitting === 'scene' && lookActions}
          <p class="small soft">
            {t(
              'Suggestions are made for one photo. “Use for all photos” then keeps a scene here, for every product.',
            )}
          </p>
          {onScenes && (
            <button type="button" class="button wide" onClick={onScenes}>
              <Icon name="spark" /> {t('Suggest scenes')}
            </button>
          )}
        </>
      )}
      {purpose === 'shop' && (
        <>
          <Tiles {...props} title={t('Your looks')} recipes={own} />
          {fitting === 'shop' && lookActions}
          <Swatches
            known={inFamily('solid')}
            transparent={inFamily('transparent')[0]}
            chosen={choice.chosen}
            color={choice.color}
            onChoose={(chosen) => onChange({ chosen })}
            onColor={(color) => onChange({ color })}
          />
          <OwnBackdrop {...props} />
          <details class="group adjust">
            <summary>{t('Gradients and surfaces')}</summary>
            <Tiles {...props} title={t('Gradients')} recipes={inFamily('gradient')} />
            <Tiles {...props} title={t('Surfaces')} recipes={inFamily('surface')} />
          </details>
        </>
      )}
      <RatioChips
        name={`${name}-shape`}
        chosen={choice.variant}
        onChoose={(variant) => onChange({ variant })}
      />
      {purpose !== 'market' && <LogoChoice {...props} />}
      <Adjust
        name={name}
        adjust={choice.adjust}
        ownMargin={margin}
        fill={
          fill === null
            ? null
            : product
              ? t('The product fills {percent} %', { percent })
              : t('The product fills up to {percent} %', { percent })
        }
        onChange={(adjust) => onChange({ adjust })}
      />
      {purpose === 'shop' && !look && (
        <SaveLook
          from={lookOf(choice, recipes)}
          onSaved={(saved, from) => {
            props.onLookSaved(saved, from);
            onLooks();
          }}
        />
      )}
    </>
  );
}

interface TilesProps extends Pick<Props, 'sampleId' | 'previews' | 'choice' | 'onChange'> {
  readonly title: string;
  readonly recipes: readonly Pick<Look, 'id' | 'title' | 'variants'>[];
}

/** A group of recipes or looks, each shown as a small picture with the product. */
function Tiles({ title, recipes, sampleId, previews, choice, onChange }: TilesProps): JSX.Element | null {
  if (recipes.length === 0) return null;
  return (
    <fieldset class="group">
      <legend>{title}</legend>
      <div class="tiles">
        {recipes.map((one) => (
          <RecipeTile
            key={one.id}
            name="backdrop"
            title={one.title}
            previews={previews}
            request={
              sampleId === null ? null : { id: sampleId, recipeId: one.id, variant: squareOf(one.variants) }
            }
            checked={choice.chosen === one.id}
            onChoose={() => onChange({ chosen: one.id })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Small pictures are square if possible. */
const squareOf = (variants: readonly string[]): string =>
  variants.includes('1:1') ? '1:1' : (variants[0] ?? '1:1');
