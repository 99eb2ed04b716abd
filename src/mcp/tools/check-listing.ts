/** `check_listing`: checks a render, or a finished picture, against the rules of marketplaces. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ListingCheck } from '../../../clients/typescript/src/packshot-client.ts';
import { marketplaceIds } from '../../listing/marketplaces.ts';
import { optional } from '../../optional.ts';
import { onlyLocal, readBase64, readPath } from '../photo-input.ts';
import { register } from '../register.ts';
import { answer, ToolError } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

type RuleResult = ListingCheck['checks'][number]['rules'][number];

export function addCheckListing(server: McpServer, context: ToolContext): void {
  register(
    server,
    'check_listing',
    {
      title: 'Check a picture against the rules of marketplaces',
      description:
        "Measures a finished picture and checks it against marketplaces' rules for main images: background, fill, size, " +
        'format, border. Give either the picture itself, or `design_id` and the `recipe` to check (default: the listing recipe ' +
        'of the first marketplace). Passing our checks is not an approval by the marketplace: also tell the user what was not checked. ' +
        'If the picture does not pass, the field `fix` names a recipe and a ratio for the tool `render`; pictures made with them pass.',
      inputSchema: inputOf(context),
      outputSchema: z.object({
        passes: z.boolean(),
        checks: z.array(
          z.object({
            marketplace: z.string(),
            verdict: z.enum(['passes', 'fails', 'unclear']),
            summary: z.string(),
            problems: z
              .array(z.string())
              .describe('Rules that fail or could not be checked, with the measured value.'),
            notChecked: z.array(z.string()),
            fix: z.object({ recipe: z.string(), ratio: z.string() }).nullable(),
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (input, signal) => {
      const { passes, checks } = await check(context, input, signal);
      return answer({
        facts: {
          passes,
          checks: checks.map(({ marketplace, verdict, summary, rules, notChecked, fix }) => ({
            marketplace,
            verdict,
            summary,
            problems: rules.filter(({ outcome }) => outcome !== 'passes').map(describeProblem),
            notChecked,
            fix: fix && { recipe: fix.recipeId, ratio: fix.variant },
          })),
        },
      });
    },
  );
}

/** For example, `The product fills the picture: measured 62 %; required: at least 85 %`. */
function describeProblem({ title, measured, expected, level }: RuleResult): string {
  // The limit of a share is a percentage, but its measured value is a fraction with at most four decimals.
  const isShare = typeof measured === 'number' && expected.endsWith('%');
  const found = isShare ? `${Number((100 * measured).toFixed(2))} %` : measured;
  return `${title}: ${found === null ? 'not measured' : `measured ${found}`}; ${level}: ${expected}`;
}

const inputOf = ({ files }: ToolContext) =>
  z.object({
    marketplaces: z.array(z.enum(marketplaceIds)).min(1),
    design_id: z.string().max(100).optional().describe('The `designId` of an earlier result.'),
    recipe: optional(
      z.string().max(100),
      'With `design_id`: the id of a recipe that `list_recipes` returned.',
    ),
    ratio: z.string().max(20).optional().describe('Aspect ratio of the `recipe`; default `1:1`.'),
    ...onlyLocal(files, { path: z.string().optional().describe('Path of a finished picture.') }),
    base64: z.string().optional().describe('A finished picture as base64.'),
  });

async function check(
  { openClient, files }: ToolContext,
  { design_id: id, recipe, ratio, path, base64, marketplaces }: z.output<ReturnType<typeof inputOf>>,
  signal: AbortSignal,
): Promise<ListingCheck> {
  if ([id, path, base64].filter((way) => way !== undefined).length !== 1)
    throw new ToolError('Give exactly one of `design_id`, `path` and `base64`.');
  const client = await openClient();
  if (id !== undefined) {
    const chosen = {
      ...(recipe !== undefined && { recipeId: recipe }),
      ...(ratio !== undefined && { variant: ratio }),
    };
    return client.checkRender(id, { marketplaces, ...chosen, signal });
  }
  if (base64 !== undefined) return client.checkPicture(readBase64(base64), { marketplaces, signal });
  const { bytes, name } = await readPath(client, files, path, signal);
  return client.checkPicture(bytes, { marketplaces, name, signal });
}
