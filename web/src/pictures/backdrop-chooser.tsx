/**
 * Chooser for everything that products can be placed on: aspect ratio, looks, colors, gradients, surfaces.
 */
import type { JSX } from 'preact';
import type { Look, Recipes } from '../../../clients/typescript/src/packshot-client.ts';
import { RatioChips } from '../shared/chips.tsx';
import { Adjust } from './adjust.tsx';
import { type BackdropChoice, backdropOf } from './backdrop-choice.ts';
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
  readonly onChange: (change: Partial<BackdropChoice>) => void;
}

export function BackdropChooser(props: Props): JSX.Element {
  const { name, recipes, looks = [], product = null, choice, onChange } = props;
  const inFamily = (family: string) => recipes.filter((recipe) => recipe.family === family);
  // Listing recipes differ in the marketplaces whose rules they meet, but all are white, so only the first is offered.
  const listing = inFamily('listing')
    .slice(0, 1)
    .map((recipe) => ({ ...recipe, title: 'Main image' }));
  const { recipeId, variant } = backdropOf(choice, recipes);
  const { margin = null, align = null } = recipes.find(({ id }) => id === recipeId) ?? {};
  const fill =
    margin === null || align === null
      ? null
      : fillOf({ margin, align }, choice.adjust?.layout, variant, product);
  return (
    <>
      <RatioChips
        name={`${name}-shape`}
        chosen={choice.variant}
        onChoose={(variant) => onChange({ variant })}
      />
      <Tiles {...props} title="Your looks" recipes={looks} />
      <Swatches
        known={inFamily('solid')}
        transparent={inFamily('transparent')[0]}
        chosen={choice.chosen}
        color={choice.color}
        onChoose={(chosen) => onChange({ chosen })}
        onColor={(color) => onChange({ color })}
      />
      <Tiles {...props} title="Marketplaces" recipes={listing} />
      <Tiles {...props} title="Gradients" recipes={inFamily('gradient')} />
      <Tiles {...props} title="Surfaces" recipes={inFamily('surface')} />
      <Adjust
        name={name}
        adjust={choice.adjust}
        ownMargin={margin}
        fill={
          fill === null
            ? null
            : `The product fills ${product ? '' : 'up to '}${Math.floor(100 * fill + 1e-6)} %`
        }
        onChange={(adjust) => onChange({ adjust })}
      />
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
