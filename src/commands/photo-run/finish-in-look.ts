/** `packshot remove --look`: renders products in a look (a saved scene or recipe), on a given or temporary service. */
import type { Config } from '../../config.ts';
import { variants } from '../../recipes/catalogue.ts';
import { type NamedLook, openLook } from '../shared/look-files.ts';
import { openOwnService } from '../shared/own-service.ts';
import type { Service } from '../shared/service-client.ts';
import { openServiceFinisher } from './finish-at-service.ts';
import type { PhotoFinisher, PictureOrder } from './finish-photo.ts';
import type { KnownRecipe } from './picture-target.ts';

/** Describes the look as a recipe, to plan the pictures before a service has the look. Its own variant comes first. */
export async function describeLook(look: NamedLook, service: Service | undefined): Promise<KnownRecipe> {
  return { id: 'look', revision: 1, family: 'look', variants: await listVariants(look, service) };
}

async function listVariants(look: NamedLook, service: Service | undefined): Promise<readonly string[]> {
  if (typeof look === 'string') return (await service!.client.getLook(look)).variants;
  const { plan, variant } = look.from;
  const own = plan?.ratio ?? variant;
  return typeof own === 'string' ? [own, ...variants.filter((other) => other !== own)] : variants;
}

/**
 * `order` names the recipe from `describeLook`. Without a given service, a temporary one is opened and closed
 * with the finisher.
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
