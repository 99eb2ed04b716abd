/** The pictures of a list, a CSV: each row has a photo, and may have a recipe or look, a ratio and a name. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { nameFiles } from '../../batches/file-names.ts';
import { type ListedPicture, readPictureList } from '../../batches/picture-list.ts';
import { listRecipes } from '../../recipes/catalogue.ts';
import { findListed, type Photo } from '../photo-run/find-photos.ts';
import {
  type KnownRecipe,
  type OrderOptions,
  type PictureOrder,
  planOrder,
  type Target,
  toExtension,
} from '../photo-run/picture-target.ts';
import { describeLook } from '../shared/look-files.ts';
import type { Refuse } from '../shared/refuse.ts';
import type { Service } from '../shared/service-client.ts';

export interface OrderedPhotos {
  /** Photos, each with the path of its picture relative to the output folder. */
  readonly named: ReadonlyMap<Photo, string>;
  readonly orderOf: (photo: Photo) => PictureOrder;
}

const whiteRecipe = 'Solid1_1_0035';

export const revisionOf = (order: PictureOrder): number | undefined =>
  listRecipes().find(({ id }) => id === order.recipe?.recipeId)?.revision;

/** Refuses a row whose photo does not exist, or whose picture cannot be made. `options` are for rows without their own. */
export async function listRows(
  path: string,
  options: OrderOptions,
  service: Service,
  refuse: Refuse,
): Promise<OrderedPhotos> {
  const rows = await readRows(path, refuse);
  const planRow = createPlanner(options, service);
  const orders = new Map<Photo, PictureOrder>();
  const plans: PictureOrder[] = [];
  for (const [index, row] of rows.entries())
    plans.push(await planRow(row, (message) => refuse(`${path}, row ${index + 2}: ${message}`)));
  const names = nameFiles(
    rows.map(({ photo, name }, i) => ({ name: name ?? basename(photo), format: plans[i]!.format })),
  );
  const named = new Map<Photo, string>();
  for (const [index, { photo: word }] of rows.entries()) {
    const found = await findListed(word, dirname(path));
    if (!found) return refuse(`${path}, row ${index + 2}: there is no file ${word}.`);
    const order = plans[index]!;
    const name = names[index]!;
    const picture = `${name.slice(0, -extname(name).length)}.${toExtension(options.format, order.format)}`;
    const photo = { ...found, row: JSON.stringify([picture, order, revisionOf(order)]) };
    orders.set(photo, order);
    named.set(photo, picture);
  }
  return { named, orderOf: (photo) => orders.get(photo)! };
}

async function readRows(path: string, refuse: Refuse): Promise<ListedPicture[]> {
  try {
    return readPictureList(await readFile(path, 'utf8'));
  } catch (error) {
    return refuse(`${path}: ${(error as Error).message}`);
  }
}

function createPlanner(options: OrderOptions, service: Service) {
  const looks = new Map<string, KnownRecipe>();
  const target: Target = { kind: 'folder', path: '' };

  return async ({ recipe: own, ratio: ownRatio }: ListedPicture, refuse: Refuse): Promise<PictureOrder> => {
    const usual = options.background === undefined ? whiteRecipe : undefined;
    const recipe = own ?? options.recipe ?? usual;
    const ratio = ownRatio ?? options.ratio;
    const chosen = {
      ...options,
      ...(recipe !== undefined && { recipe }),
      ...(ratio !== undefined && { ratio }),
    };
    if (!recipe?.startsWith('Look_')) return planOrder(chosen, target, service.recipes, refuse);
    const look = looks.get(recipe) ?? (await describeLook(recipe, service));
    looks.set(recipe, look);
    const order = planOrder(
      { ...chosen, recipe: look.id, ratio: ratio ?? look.variants[0]! },
      target,
      [look],
      refuse,
    );
    return { ...order, recipe: { ...order.recipe!, recipeId: recipe } };
  };
}
