/** `packshot remove --server` and `--look`: processes photos on a running or a temporary service. */
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import type { Config } from '../../config.ts';
import { variants } from '../../recipes/catalogue.ts';
import { type NamedLook, openLook } from '../shared/look-files.ts';
import { openOwnService } from '../shared/own-service.ts';
import { lendPhoto, type Service } from '../shared/service-client.ts';
import type { PhotoFinisher, PictureOrder } from './finish-photo.ts';
import type { KnownRecipe } from './picture-target.ts';

export function openServiceFinisher(
  client: PackshotClient,
  { recipe, format, quality, metadata, mask }: PictureOrder,
  maxBytes: number,
): PhotoFinisher {
  return {
    finish: (photo, signal) =>
      lendPhoto(client, photo, { maxBytes, signal }, async ({ id, subject: { confidence, issues } }) => {
        const ask = () => {
          if (recipe)
            return client.generate(
              { id, ...recipe, ...(quality !== undefined && { quality }), ...(metadata && { metadata }) },
              { format, signal },
            );
          if (mask) return client.matte(id, { signal });
          return client.cutout(id, {
            format: format === 'webp' ? 'webp' : 'png',
            ...(metadata && { metadata }),
            signal,
          });
        };
        const picture = await ask();
        return { picture: new Uint8Array(await picture.arrayBuffer()), confidence, issues };
      }),
    close: async () => undefined,
  };
}

/**
 * Describes the look as a recipe, so that pictures can be planned before the look is on a service. Of the variants, the
 * look's own comes first.
 */
export async function describeLook(look: NamedLook, service: Service | undefined): Promise<KnownRecipe> {
  const about = { id: 'look', revision: 1, family: 'look' };
  if (typeof look === 'string') return { ...about, variants: (await service!.client.getLook(look)).variants };
  const { plan, variant } = look.from;
  const own = plan?.ratio ?? variant;
  if (typeof own !== 'string') return { ...about, variants };
  return { ...about, variants: [own, ...variants.filter((other) => other !== own)] };
}

/**
 * `order` was planned with the recipe from `describeLook`. Without a `service`, opens a temporary one; closing the
 * finisher closes it.
 */
export async function openLookFinisher(
  look: NamedLook,
  order: PictureOrder,
  { service, config }: { readonly service: Service | undefined; readonly config: Config },
): Promise<PhotoFinisher> {
  const own = service === undefined ? await openOwnService(config) : undefined;
  const { client, maxBytes } = service ?? own!;
  try {
    const lent = await openLook(client, look);
    const recipe = order.recipe && { ...order.recipe, recipeId: lent.id };
    return {
      ...openServiceFinisher(client, { ...order, recipe }, maxBytes),
      async close() {
        await lent.giveBack();
        await own?.close();
      },
    };
  } catch (error) {
    await own?.close();
    throw error;
  }
}
