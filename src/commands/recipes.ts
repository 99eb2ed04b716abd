/** `packshot recipes`: the catalogue on the terminal. */
import type { Command } from 'commander';
import { listRecipes } from '../recipes/catalogue.ts';

export function addRecipes(program: Command): void {
  program
    .command('recipes')
    .description('List the recipes.')
    .option('--family <name>', 'only this family: solid, transparent, gradient or surface')
    .option('--json', 'print JSON')
    .action((options) => {
      const recipes = listRecipes().filter(({ family }) => !options.family || family === options.family);
      if (options.json) {
        console.log(JSON.stringify(recipes, null, 2));
        return;
      }
      for (const { id, title, variants } of recipes) {
        console.log(`${id.padEnd(18)} ${title.padEnd(28)} ${variants.join(' ')}`);
      }
    });
}
