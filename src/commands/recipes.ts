/** `packshot recipes`: prints an overview of the recipe families, or lists recipes. */
import { type Command, Option } from 'commander';
import { variants } from 'packshot-pixels';
import { listRecipes, type RecipeFamily } from '../recipes/catalogue.ts';
import { formatTable, printRows } from './shared/format-table.ts';

/** Description of each family, with a typical recipe. */
const families: Readonly<Record<RecipeFamily, { readonly shows: string; readonly example: string }>> = {
  solid: { shows: 'one color, edge to edge', example: 'Solid1_1_0035' },
  listing: { shows: 'white, as marketplaces require', example: 'Listing_amazon_main' },
  transparent: { shows: 'no backdrop', example: 'Transp001' },
  gradient: { shows: 'a soft gradient', example: 'Gradient001' },
  surface: { shows: 'studio paper with a cast shadow', example: 'Surface001' },
};

interface Options {
  readonly family?: RecipeFamily;
  readonly ratio?: string;
  readonly json?: boolean;
}

export function addRecipes(program: Command): void {
  program
    .command('recipes')
    .summary('List the recipes: backdrops to place a product on.')
    .description('List the recipes: backdrops to place a product on. Without options: an overview by family.')
    .addOption(new Option('--family <name>', 'recipes of this family').choices(Object.keys(families)))
    .addOption(new Option('--ratio <ratio>', 'recipes available in this aspect ratio').choices(variants))
    .option('--json', 'print JSON: all recipes, or those of --family and --ratio')
    .action(list);
}

function list({ family, ratio, json }: Options): void {
  const found = listRecipes().filter(
    (recipe) =>
      (family === undefined || recipe.family === family) &&
      (ratio === undefined || recipe.variants.some((variant) => variant === ratio)),
  );
  if (!json && family === undefined && ratio === undefined) console.log(overview());
  else
    printRows(found, {
      json,
      none: 'No such recipes.',
      toRow: ({ id, title, variants: ratios }) => ({ id, title, ratios: ratios.join(' ') }),
    });
}

function overview(): string {
  const rows = Object.entries(families).map(([family, { shows, example }]) => {
    const recipes = listRecipes().filter((recipe) => recipe.family === family);
    return { family, recipes: recipes.length, shows, example };
  });
  return `${formatTable(rows)}

List a family:    packshot recipes --family solid --ratio 1:1
Use a recipe:     packshot remove photos/ -o out/ --recipe Solid1_1_0035
Any other color:  packshot remove photos/ -o out/ --background '#F4F1EA'
Pictures of all:  docs/recipes.md`;
}
