/** A list of pictures to make, as a CSV: the columns `sku`, `photo`, `recipe` or `look`, `ratio` and `name`. */
import Papa from 'papaparse';

export interface ListedPicture {
  /** Name or path of a file, or a URL. */
  readonly photo: string;
  /** Id of a recipe or look. */
  readonly recipe: string | undefined;
  readonly ratio: string | undefined;
  /** Name for the picture, without `{…}`. */
  readonly name: string | undefined;
}

const columns = ['sku', 'photo', 'recipe', 'look', 'ratio', 'name'] as const;
/** Name of a picture whose row has none. `{n}` counts the rows of its `sku`. */
const usualName = '{sku}_{n}';

/** Throws a RangeError that names the row and what is wrong. Spreadsheets separate by commas, semicolons or tabs. */
export function readPictureList(csv: string): ListedPicture[] {
  const { data, meta } = Papa.parse<Partial<Record<string, string>>>(csv.replaceAll(/\r\n?/g, '\n'), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (header) => header.trim().toLowerCase(),
    transform: (value) => value.trim(),
  });
  const unknown = meta.fields?.find((field) => !columns.some((column) => column === field));
  if (!meta.fields?.includes('photo') || unknown !== undefined) {
    const found = unknown === undefined ? 'no column "photo"' : `the column "${unknown.slice(0, 50)}"`;
    throw new RangeError(`The list has ${found}; it may have ${columns.join(', ')}, and needs photo.`);
  }
  if (data.length === 0) throw new RangeError('The list has no rows.');
  const counts = new Map<string, number>();
  return data.map(({ photo = '', sku = '', recipe, look, ratio, name }, index) => {
    const row = index + 2;
    if (photo === '') throw new RangeError(`Row ${row} of the list has no photo.`);
    if (recipe && look) throw new RangeError(`Row ${row} of the list has both a recipe and a look.`);
    const n = (counts.get(sku) ?? 0) + 1;
    counts.set(sku, n);
    const pattern = name || (sku && usualName);
    return {
      photo,
      recipe: recipe || look || undefined,
      ratio: ratio || undefined,
      name: pattern?.replaceAll('{sku}', sku).replaceAll('{n}', String(n)) || undefined,
    };
  });
}
