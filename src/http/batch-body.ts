/** The JSON body of POST /v1/jobs: its schema, its validation, and its conversion to the items of a batch. */
import { z } from 'zod';
import type { ItemWish } from '../batches/accept-batch.ts';
import { batchEventTypes, MOST_ITEMS } from '../batches/batch.ts';
import { type ListedPicture, readPictureList } from '../batches/picture-list.ts';
import { marketplaceIds } from '../listing/marketplaces.ts';
import { optional } from '../optional.ts';
import { findRecipe } from '../recipes/catalogue.ts';
import { isLossy } from '../rendering/render-target.ts';
import { fieldError, parseBody } from './field-errors.ts';
import { parseJsonField } from './json-body.ts';
import { photoFields } from './photo-fields.ts';
import {
  dpiField,
  losslessRefusal,
  metadataField,
  qualityField,
  recipeFields,
  sizeFields,
} from './recipe-fields.ts';
import { sourceUrlField } from './source-url.ts';

const itemSchema = z
  .strictObject({
    ...recipeFields,
    id: optional(
      z.string().max(100),
      'Id of one of your designs. Give exactly one of `id`, `url` and `file`.',
    ),
    url: sourceUrlField.optional().describe('A public image URL; it becomes a design.'),
    file: optional(
      z.string().min(1).max(200),
      'Name of a file in the multipart form; the file becomes a design. Several items may use the same file.',
    ),
    format: z.enum(['jpeg', 'png', 'webp', 'avif']).default('jpeg'),
    quality: qualityField,
    metadata: metadataField,
    dpi: dpiField,
    ...sizeFields,
    ...photoFields,
    name: optional(
      z.string().max(200),
      'Name of the picture; by default the name of its file, or its number.',
    ),
    folder: z.string().max(100).optional().describe('Folder of the picture in the ZIP; default: none.'),
  })
  .refine(({ id, url, file }) => [id, url, file].filter((photo) => photo !== undefined).length === 1, {
    error: 'Needs exactly one of "id", "url" and "file".',
  })
  .refine(({ format, quality }) => quality === undefined || isLossy(format), {
    path: ['quality'],
    error: losslessRefusal,
  })
  .refine(({ format, maxBytes }) => maxBytes === undefined || isLossy(format), {
    path: ['maxBytes'],
    error: losslessRefusal,
  })
  .meta({ id: 'BatchItem', oneOf: [{ required: ['id'] }, { required: ['url'] }, { required: ['file'] }] });

export const batchBody = z
  .strictObject({
    items: z.array(itemSchema).min(1).max(MOST_ITEMS),
    marketplaces: optional(
      z.array(z.enum(marketplaceIds)).min(1).max(marketplaceIds.length),
      'Marketplaces against whose rules each picture is checked. The results are in `checks` of each item, and in the manifest.',
    ),
    events: z
      .array(z.enum(batchEventTypes))
      .max(2)
      .default(['batch.completed'])
      .describe('Webhook events to send to your account; `render.completed` is sent for each picture.'),
  })
  .meta({ id: 'NewBatch' });

export type NewBatch = z.output<typeof batchBody>;

/** Only documents the form. The form itself is read as a stream and validated in `batch-form`. */
export const batchFormSchema = z.any().meta({
  type: 'object',
  required: ['batch'],
  properties: {
    batch: {
      type: 'string',
      description:
        'The same document as the JSON body; or a CSV with the columns `sku`, `photo` (a file or URL), `recipe` or `look`, `ratio` and `name`. Must precede the files.',
    },
    files: {
      type: 'array',
      items: { type: 'string', format: 'binary' },
      description: 'One part for each file that an item names, with that file name. Field names are ignored.',
    },
  },
});

/** Validates a batch and fills in its defaults. Throws one error that lists all invalid fields. */
export function validateBatch(body: unknown, mostItems: number): NewBatch {
  const batch = parseBody(batchBody, body);
  const { length } = batch.items;
  if (length <= mostItems) return batch;
  throw fieldError('/items', `A batch has at most ${mostItems} items, this one has ${length}.`);
}

/** The field `batch` of a form: the JSON document, or a list of pictures as a CSV. */
export function parseBatch(text: string, mostBytes: number, mostItems: number): NewBatch {
  const isJson = /^\s*[[{]/.test(text);
  const body = isJson ? parseJsonField(text, 'batch', mostBytes) : { items: readList(text).map(toItem) };
  return validateBatch(body, mostItems);
}

function readList(text: string): ListedPicture[] {
  try {
    return readPictureList(text);
  } catch (error) {
    throw fieldError('/batch', (error as Error).message);
  }
}

const whiteRecipe = 'Solid1_1_0035';

function toItem({ photo, recipe = whiteRecipe, ratio, name }: ListedPicture) {
  const known = findRecipe(recipe);
  const usual = known?.variants.find((variant) => variant === '1:1') ?? known?.variants[0] ?? '1:1';
  return {
    ...(/^https?:\/\//i.test(photo) ? { url: photo } : { file: photo }),
    recipeId: recipe,
    variant: ratio ?? usual,
    format: known?.family === 'transparent' ? 'png' : 'jpeg',
    name,
  };
}

/** Names of the files to which the items refer, with repetitions. */
export const listFiles = ({ items }: NewBatch): string[] => items.flatMap(({ file }) => file ?? []);

type SentFile = { readonly number: number } | Extract<ItemWish['photo'], { failure: unknown }>;

/**
 * Converts the items for the batch store; `findFile` looks up the file that an item names. Throws what `findFile`
 * throws.
 */
export const toWishes = (
  { items, marketplaces }: NewBatch,
  findFile: (name: string, item: number) => SentFile,
): ItemWish[] =>
  items.map((item, i) => {
    const { recipe, ...wish } = toWish(item, (name) => findFile(name, i));
    return {
      ...wish,
      recipe: marketplaces ? { ...recipe, marketplaces: [...new Set(marketplaces)] } : recipe,
    };
  });

function toWish(
  { id, url, file, name, folder, ...recipe }: NewBatch['items'][number],
  findFile: (name: string) => SentFile,
): ItemWish {
  if (file === undefined)
    return { photo: url === undefined ? { designId: id! } : { url }, recipe, name, folder };
  const found = findFile(file);
  const photo = 'failure' in found ? found : { photo: { number: found.number, fileName: file } };
  return { photo, recipe, name: name ?? file, folder };
}

export function notSent(item: number): never {
  throw fieldError(`/items/${item}/file`, 'The form has no file with this name.', 'missing_file');
}
