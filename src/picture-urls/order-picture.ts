/** Translates between a picture's URL and the render call that gives the same picture. */
import { PackshotError } from 'packshot-errors';
import { type Variant, variants } from 'packshot-pixels';
import { findRecipe, requireVariant } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { studioRecipe } from '../recipes/studio-recipe.ts';
import {
  isLossy,
  type RenderFormat,
  type RenderTarget,
  renderTarget,
  sampleTarget,
} from '../rendering/render-target.ts';
import { longEdgeOf, mutationsOf, optionsOf, type PictureOptions } from './picture-options.ts';
import type { PictureOrder, PictureSuffix } from './picture-path.ts';

/** How URLs name illustrations: by their id, which their own signed URI contains. */
export interface IllustrationNames {
  /** Returns undefined for a URI that is not ours. */
  idOf(uri: string): string | undefined;
  uriOf(id: string, owner: { readonly designId: string; readonly accountId: string }): string;
}

export interface RenderCall {
  readonly recipeId: string;
  readonly variant: Variant;
  readonly mutations: Mutations;
  readonly target: RenderTarget;
}

/** Suggested scenes (`ill_…`) and uploaded backdrops (`bdp_…`). */
const isIllustration = (recipe: string): boolean => /^(ill|bdp)_/.test(recipe);

const formats: Readonly<Record<Exclude<PictureSuffix, 'auto'>, RenderFormat>> = {
  jpg: 'jpeg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
};

/** `accept`: value of the caller's Accept header, which decides the format of `auto`. */
export function toCall(
  { recipe, options, suffix }: PictureOrder,
  owner: { readonly designId: string; readonly accountId: string; readonly sandbox: boolean },
  names: IllustrationNames,
  accept: string,
): RenderCall {
  const variant = options.ar ?? findRecipe(recipe)?.variants[0] ?? '1:1';
  const format =
    suffix === 'auto' ? chooseFormat(accept, findRecipe(recipe)?.family === 'transparent') : formats[suffix];
  const target = targetOf(options, variant, format);
  const changes = mutationsOf(options);
  return {
    variant,
    target: owner.sandbox ? smallerOf(sampleTarget(target), target) : target,
    ...(isIllustration(recipe)
      ? {
          recipeId: studioRecipe.id,
          mutations: { ...changes, images: { primaryIllustration: { uri: names.uriOf(recipe, owner) } } },
        }
      : { recipeId: recipe, mutations: changes }),
  };
}

function targetOf(options: PictureOptions, variant: Variant, format: RenderFormat): RenderTarget {
  if (options.q !== undefined && !isLossy(format))
    throw new PackshotError('invalid_field', 'The option "q" does not fit a PNG, which is lossless.');
  const edge = longEdgeOf(options, variant);
  const preview = renderTarget('preview', format, options.q);
  // The price, too, is that of a preview.
  const isSmall = edge !== undefined && edge <= preview.longEdgePx;
  const target = isSmall ? preview : renderTarget('generated', format, options.q);
  return { ...target, longEdgePx: edge ?? target.longEdgePx };
}

const smallerOf = (one: RenderTarget, other: RenderTarget): RenderTarget => ({
  ...one,
  longEdgePx: Math.min(one.longEdgePx, other.longEdgePx),
});

/** A format that the caller names; `*` alone names none (RFC 9110, 12.5.1), and old clients send nothing else. */
function chooseFormat(accept: string, isTransparent: boolean): RenderFormat {
  if (/image\/avif/i.test(accept)) return 'avif';
  if (/image\/webp/i.test(accept)) return 'webp';
  return isTransparent ? 'png' : 'jpeg';
}

export interface CallToName {
  readonly source: PictureOrder['source'];
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly suffix: PictureSuffix;
  readonly size?: Pick<PictureOptions, 'w' | 'h' | 'q' | 'dpr' | 'exp'>;
}

/**
 * The order whose URL shows the same picture as the call; undefined for an illustration from another host, and for changes that
 * no URL names.
 */
export function toOrder(call: CallToName, names: IllustrationNames): PictureOrder | undefined {
  const { source, recipeId, mutations: { images, ...changes } = {}, suffix, size = {} } = call;
  if (changes.logo || changes.cutout === 'none' || changes.layout?.fit) return undefined;
  const ar = requireVariant(call.variant, variants, `Valid: ${variants.join(', ')}.`);
  const illustration = images?.primaryIllustration;
  const uri = illustration?.uri ?? illustration?.previewUri;
  const id = uri === undefined ? undefined : names.idOf(uri);
  if (uri !== undefined && id === undefined) return undefined;
  const options = { ar, ...optionsOf(changes), ...size };
  return { source, recipe: id !== undefined && isIllustration(id) ? id : recipeId, options, suffix };
}

export const suffixOf = (format: RenderFormat): PictureSuffix => (format === 'jpeg' ? 'jpg' : format);

/** Width and height that give previews; full versions need none. */
export function sizeOfTarget(name: RenderTarget['name'], format: RenderFormat): CallToName['size'] {
  const { longEdgePx } = renderTarget(name, format);
  return name === 'preview' ? { w: longEdgePx, h: longEdgePx } : {};
}
