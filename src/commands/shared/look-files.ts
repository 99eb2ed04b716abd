/** Looks (saved scenes and recipes) on the command line: a look file, or the id of a look on a service. */
import { readFile } from 'node:fs/promises';
import { variants } from 'packshot-pixels';
import type {
  NewLookInput,
  PackshotClient,
  RecipeInput,
} from '../../../clients/typescript/src/packshot-client.ts';
import type { KnownRecipe } from '../photo-run/picture-target.ts';
import type { Refuse } from './refuse.ts';
import type { Service } from './service-client.ts';

export const lookExtension = '.look.json';

/** A look that is ready for use on the service. */
export interface LentLook {
  readonly id: string;
  readonly title: string;
  /** Aspect ratios in which the look can be rendered; the look's own variant comes first. */
  readonly variants: readonly string[];
  /** Deletes the look from the service, unless it existed there before. */
  giveBack(): Promise<void>;
}

/** The id of a look on the service, or the content of a look file. */
export type NamedLook = string | NewLookInput;

/** Reads the value of --look, before a service is opened. `isThere`: whether --server names a service. */
export async function readLook(named: string, isThere: boolean, refuse: Refuse): Promise<NamedLook> {
  if (!named.startsWith('Look_')) return readLookFile(named, refuse);
  return isThere
    ? named
    : refuse(`${named} is the id of a look on a service: use --server, or give a look file.`);
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

/** Makes a look available on the service. Throws the service's error if the service refuses the look. */
export async function openLook(client: PackshotClient, named: NamedLook): Promise<LentLook> {
  if (typeof named !== 'string') return lendLook(client, named);
  return { ...(await client.getLook(named)), giveBack: async () => undefined };
}

/** Returns the content of a look file for a recipe. For this, the service saves the recipe as a look temporarily. */
export async function writeLook(client: PackshotClient, recipe: RecipeInput, title: string): Promise<string> {
  const look = await lendLook(client, { from: recipe, title });
  try {
    const { from } = await client.getLook(look.id);
    return `${JSON.stringify({ title, from }, null, 2)}\n`;
  } finally {
    await look.giveBack();
  }
}

async function lendLook(client: PackshotClient, look: NewLookInput): Promise<LentLook> {
  const before = await client.looks();
  const kept = await client.keepLook({ from: look.from });
  const isOld = before.some(({ id }) => id === kept.id);
  return {
    id: kept.id,
    title: look.title ?? kept.title,
    variants: kept.variants,
    async giveBack() {
      // The number of looks per account is limited, so the look is deleted again.
      if (!isOld) await client.deleteLook(kept.id).catch(() => undefined);
    },
  };
}

async function readLookFile(path: string, refuse: Refuse): Promise<NewLookInput> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    refuse(`${path}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`),
  );
  try {
    const { from, title } = JSON.parse(text);
    if (typeof from === 'object' && from !== null)
      return { from, ...(typeof title === 'string' && { title }) };
  } catch {
    // Invalid JSON is refused below.
  }
  return refuse(`${path} is not a look file. \`packshot scene --save-looks\` writes them.`);
}
