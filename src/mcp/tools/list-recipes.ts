/** `list_recipes`: the catalog of plain backdrops, and the account's looks (saved scenes and recipes). */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { register } from '../register.ts';
import { answer } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

/** Maximum number of listed recipes; the caller sees others with a narrower query. */
const MOST_LISTED = 40;

export function addListRecipes(server: McpServer, context: ToolContext): void {
  register(
    server,
    'list_recipes',
    {
      title: 'List recipes',
      description:
        'Lists recipes for the tool `render`: solid colors, gradients, paper surfaces with a shadow, transparent, and looks ' +
        'saved with `keep_look`. Filter by words of title, family or id, such as "white", "gradient", "surface", "look". Solid1_1_0035 is pure white (#FFFFFF), ' +
        'Transp001 transparent.',
      inputSchema: z.object({ query: z.string().max(100).optional() }),
      outputSchema: z.object({
        recipes: z.array(
          z.object({ id: z.string(), title: z.string(), family: z.string(), ratios: z.array(z.string()) }),
        ),
        total: z.number().int().describe('Number of recipes that match; at most 40 are listed.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ query = '' }, signal) => {
      const client = await context.openClient();
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const [known, looks] = await Promise.all([client.recipes({ signal }), client.looks({ signal })]);
      const all = [
        ...looks.map((look) => ({ ...look, family: 'look' })),
        // Omit the recipe of scenes: it needs an illustration, which the tool `suggest_scenes` provides.
        ...known.filter(({ id }) => id !== 'Studio001'),
      ];
      const matching = all.filter(({ id, title, family }) => {
        const text = `${id} ${title} ${family}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
      const recipes = matching
        .slice(0, MOST_LISTED)
        .map(({ id, title, family, variants }) => ({ id, title, family, ratios: [...variants] }));
      return answer({ facts: { recipes, total: matching.length } });
    },
  );
}
