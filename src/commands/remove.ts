/** `packshot remove`: cut out one photo or a folder of them, without a running service. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, extname, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { PackshotError } from '../errors.ts';
import { type PicturePlan, resolveRecipe } from '../recipes/resolve-recipe.ts';
import { type RenderFormat, renderTarget } from '../rendering/render-target.ts';
import { openCutoutPool, openImagingPool } from '../workers/pools.ts';

const photoExtensions = new Set(['.jpg', '.jpeg', '.png', '.webp', '.avif', '.tif', '.tiff', '.gif']);
const formats: readonly RenderFormat[] = ['jpeg', 'png', 'webp', 'avif'];
const never = new AbortController().signal;

interface Options {
  readonly out: string;
  readonly recipe?: string;
  readonly variant?: string;
  readonly format?: RenderFormat;
}

export function addRemove(program: Command): void {
  program
    .command('remove')
    .description(
      "Remove the background of a photo or of a folder's photos. Without --recipe: transparent PNGs of the photo's own size.",
    )
    .argument('<path>', 'a photo, or a folder of photos')
    .requiredOption('-o, --out <dir>', 'folder for the pictures; made if need be')
    .option('--recipe <id>', 'put the product on this recipe, such as Solid1_1_0035')
    .option('--variant <ratio>', "the recipe's aspect ratio; its first one where left out")
    .option('--format <format>', `with --recipe: ${formats.join(', ')}`, parseFormat)
    .action(remove);
}

async function remove(path: string, options: Options): Promise<void> {
  const photos = await findPhotos(path);
  if (photos.length === 0) throw new PackshotError('missing_file', `There are no photos in ${path}.`);
  const plan = options.recipe ? resolvePlan(options.recipe, options.variant) : undefined;
  await mkdir(options.out, { recursive: true });

  const config = loadConfig(process.env);
  const cutting = openCutoutPool({
    engine: config.cutout.engine,
    mode: config.cutout.mode,
    limits: config.designs.limits,
  });
  const imaging = plan && openImagingPool({ size: 1, maxWaiting: Number.POSITIVE_INFINITY });
  let failures = 0;

  async function removeOne(photo: string): Promise<void> {
    const bytes = await readFile(photo);
    const { cutoutPng, subject } = await cutting.run('cutSubject', { bytes }, { signal: never, priority: 0 });
    const name = basename(photo, extname(photo));
    if (!imaging || !plan) {
      await writeFile(join(options.out, `${name}.png`), cutoutPng);
      return;
    }
    const { boundingBox, touchesEdges } = subject;
    const target = renderTarget('generated', options.format ?? 'jpeg');
    const picture = await imaging.run(
      'drawPicture',
      { cutoutPng, boundingBox, touchesEdges, plan, target },
      { signal: never, priority: 0 },
    );
    await writeFile(join(options.out, `${name}.${target.format}`), picture.bytes);
  }

  const waiting = [...photos];
  const work = async () => {
    for (let photo = waiting.shift(); photo; photo = waiting.shift()) {
      try {
        await removeOne(photo);
        console.log(`done    ${photo}`);
      } catch (error) {
        failures++;
        console.log(`FAILED  ${photo}  ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  try {
    // Reading and writing one photo while the next is cut keeps the engine busy.
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  } finally {
    await Promise.all([cutting.close(), imaging?.close()]);
  }
  console.log(`${photos.length - failures} of ${photos.length} pictures are in ${options.out}`);
  if (failures > 0) process.exitCode = 1;
}

async function findPhotos(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause) => {
    throw new PackshotError('missing_file', `There is no file or folder ${path}.`, { cause });
  });
  if (!found.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => photoExtensions.has(extname(name).toLowerCase()))
    .sort()
    .map((name) => join(path, name));
}

function resolvePlan(recipeId: string, variant: string | undefined): PicturePlan {
  if (variant !== undefined) return resolveRecipe({ recipeId, variant });
  // A Solid id says its ratio; every other recipe comes in the square that shops want first.
  const ratio = /^Solid(\d+)_(\d+)_/.exec(recipeId);
  return resolveRecipe({ recipeId, variant: ratio ? `${ratio[1]}:${ratio[2]}` : '1:1' });
}

function parseFormat(text: string): RenderFormat {
  const format = formats.find((known) => known === text);
  if (!format) throw new InvalidArgumentError(`Formats are ${formats.join(', ')}.`);
  return format;
}
