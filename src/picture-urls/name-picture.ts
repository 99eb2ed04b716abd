/** Signs the URLs of pictures that callers ask for, and of those that they have just rendered. */
import type { Mutations } from '../recipes/mutations.ts';
import type { MetadataChoice, RenderFormat, RenderTargetName } from '../rendering/render-target.ts';
import { type CallToName, type IllustrationNames, sizeOfTarget, suffixOf, toOrder } from './order-picture.ts';
import { writePath } from './picture-path.ts';
import type { SigningKey, UrlSigner } from './url-signer.ts';

/** A rendered picture of a design. */
export interface RenderToName {
  readonly designId: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly size: RenderTargetName;
  readonly format: RenderFormat;
  readonly quality?: number | undefined;
  readonly metadata?: MetadataChoice | undefined;
  readonly dpi?: number | undefined;
  readonly longEdgePx?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export function createPictureNamer(needs: {
  readonly signer: Pick<UrlSigner, 'sign' | 'signingKeyOf'>;
  readonly names: IllustrationNames;
}) {
  const { signer, names } = needs;

  /** Returns the path of the URL, or undefined if no URL shows the picture; see `toOrder`. */
  function signUrl(keyId: string, call: CallToName): string | undefined {
    const order = toOrder(call, names);
    return order && signer.sign(keyId, writePath(order));
  }

  return {
    signUrl,
    signingKeyOf: (keyId: string): SigningKey => signer.signingKeyOf(keyId),

    /** Returns undefined, too, if the picture has properties that no URL names: the photo's metadata, a density, or a size of its own. */
    signRender(keyId: string, render: RenderToName): string | undefined {
      const { designId, recipeId, variant, mutations, size, format, quality, metadata, ...others } = render;
      if (metadata === 'photo' || Object.values(others).some((value) => value !== undefined))
        return undefined;
      return signUrl(keyId, {
        ...{ source: { designId }, recipeId, variant, mutations, suffix: suffixOf(format) },
        size: { ...sizeOfTarget(size, format), ...(quality !== undefined && { q: quality }) },
      });
    },
  };
}

export type PictureNamer = ReturnType<typeof createPictureNamer>;
