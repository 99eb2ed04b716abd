/**
 * A look: a scene or a recipe that an account saves, to show any of its products in the same way. A look owns
 * its plan, so it outlives the design from which it was made. `GET /v1/looks/{id}` returns the look's content,
 * from which any Packshot service can recreate the look.
 */
import { createHash } from 'node:crypto';
import { type Variant, variants } from 'packshot-pixels';
import type { ScenePlan } from 'packshot-studio';
import type { LookPicture } from '../illustrations/illustration.ts';
import { findRecipe } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';

/** Changes to a scene that apply to every product. The layout is not among them: it is part of the plan. */
export type SceneChanges = Pick<Mutations, 'shadow' | 'edge' | 'match' | 'logo'>;

export type LookContent =
  | { readonly plan: ScenePlan; readonly changes: SceneChanges }
  | { readonly recipe: LockedRecipe }
  /** `backdrop`: id of a picture that the account uploaded. */
  | { readonly backdrop: string; readonly variant: Variant; readonly mutations: Omit<Mutations, 'images'> };

export interface LockedRecipe {
  readonly recipeId: string;
  /** The variant in which the look was made. The look can also be rendered in other variants. */
  readonly variant: Variant;
  readonly mutations: Omit<Mutations, 'images'>;
}

export interface Look {
  readonly id: string;
  readonly accountId: string;
  readonly title: string;
  readonly content: LookContent;
  readonly createdAt: Date;
}

/** Undefined for a look on a backdrop, whose picture is the backdrop itself. */
export function pictureOfLook({ id, accountId, content }: Look): LookPicture | undefined {
  if ('backdrop' in content) return undefined;
  const plan = 'plan' in content ? content.plan : resolveRecipe(content.recipe);
  return { kind: 'look', id, designId: '', accountId, plan };
}

const shape = /^Look_[0-9a-f]{24}$/;

export const isLookId = (recipeId: string): boolean => recipeId.startsWith('Look_');

/** False if no look can have this id. */
export const mayBeLook = (id: string): boolean => shape.test(id);

/** Derived from account and content: within an account, equal content is the same look. */
export function idOfLook(accountId: string, content: LookContent): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([accountId, content]))
    .digest('hex');
  return `Look_${digest.slice(0, 24)}`;
}

export function kindOfLook({ content }: Look): 'scene' | 'place' | 'plain' | 'backdrop' {
  if ('backdrop' in content) return 'backdrop';
  if ('recipe' in content) return 'plain';
  return content.plan.place === undefined ? 'scene' : 'place';
}

/** The variants in which the look can be rendered, starting with its own variant. */
export function variantsOfLook({ content }: Look): readonly Variant[] {
  const own =
    'plan' in content ? content.plan.ratio : ('recipe' in content ? content.recipe : content).variant;
  const comesIn = (variant: Variant): boolean =>
    !('recipe' in content) || recipeInVariant(content.recipe.recipeId, variant) !== undefined;
  return [own, ...variants.filter((other) => other !== own && comesIn(other))];
}

/** The recipe's id in another variant (Solids have one id per variant); undefined if the recipe lacks that variant. */
export function recipeInVariant(recipeId: string, variant: string): string | undefined {
  const sibling = recipeId.replace(/^Solid\d+_\d+_/, `Solid${variant.replace(':', '_')}_`);
  return findRecipe(sibling)?.variants.some((known) => known === variant) ? sibling : undefined;
}
