/**
 * `correct_cutout`: restores lost parts of a cutout, erases parts kept by mistake, and undoes corrections.
 */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { keepCutout, outputField } from '../keep-picture.ts';
import { register } from '../register.ts';
import { answer, describeDesign, designFacts, fileSchema, toImage } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

const TRANSPARENT = { recipeId: 'Transp001', variant: '1:1' } as const;
const mode = z.enum(['keep', 'erase']);
const points = z.array(z.array(z.number()).length(2)).describe('Pairs of x and y, in pixels of the photo.');

/** The correction, in the format of the API call. */
const wishFields = {
  parts: optional(
    z.array(z.object({ mode, x: z.number(), y: z.number() })),
    'A click on each part to remove or restore.',
  ),
  strokes: optional(
    z.array(
      z.object({
        mode,
        radius: z.number().describe('Radius of the brush, in pixels.'),
        points,
        hardness: optional(z.number(), '0 to 1: the stroke is exact, and does not spread; 1 is a hard edge.'),
      }),
    ),
    'Brush strokes, for a part whose edges are visible in the photo. A stroke with a single point paints a dot.',
  ),
  boxes: z
    .array(z.object({ mode, x: z.number(), y: z.number(), width: z.number(), height: z.number() }))
    .optional(),
  polygons: z.array(z.object({ mode, points })).optional(),
  hint: optional(
    z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    'A box in which the model runs again at full resolution; the result applies only there.',
  ),
  mask: optional(
    z.string(),
    "A picture in base64 with the photo's aspect ratio: white keeps, black erases, gray and transparent pixels leave the cutout unchanged.",
  ),
  undo: z.boolean().optional().describe('`true` undoes the last correction.'),
  revision: z.number().int().optional().describe('Returns to this revision of the cutout; 1 is the first.'),
};

export function addCorrectCutout(server: McpServer, context: ToolContext): void {
  register(
    server,
    'correct_cutout',
    {
      title: 'Correct a cutout',
      description:
        'Restores parts of the product that the cutout lost (mode `keep`), and erases what does not belong to it (mode ' +
        '`erase`). All coordinates are pixels of the upright photo, as in `subjectBox`. Look at the photo before you place ' +
        'marks: their positions cannot be derived from other data. A click in `parts` removes a connected part of the cutout, or restores a lost one; a stroke inside a part applies to the whole part, up to the edges visible in the photo; boxes, polygons and a mask apply to exactly ' +
        'their pixels. Give either marks, or `undo`, or `revision`. All later pictures are made from the corrected cutout. ' +
        'Returns a small preview to look at, and the file. Takes 1 to 10 s.',
      inputSchema: z.object({
        design_id: z.string().max(100).describe('The `designId` that another tool returned.'),
        ...wishFields,
        ...outputField(context),
      }),
      outputSchema: z.object({
        ...designFacts,
        revision: z
          .number()
          .int()
          .describe('Revision of the cutout; unchanged if the marks changed nothing.'),
        undo: z
          .number()
          .int()
          .nullable()
          .describe('The revision to which `undo` returns; null if there is nothing to undo.'),
        files: z.array(fileSchema),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async (
      { design_id: id, parts, strokes, boxes, polygons, hint, mask, undo, revision, ...input },
      signal,
    ) => {
      const client = await context.openClient();
      const marks = { parts, strokes, boxes, polygons, hint, mask };
      const wish = { ...marks, ...(undo && { undo: true as const }), revision };
      const design = await client.correct(id, wish, { signal });
      const preview = await client.preview({ id, ...TRANSPARENT }, { signal });
      const file = await keepCutout(client, context, design, 'png', input, signal);
      const { cutout } = design;
      return answer({
        facts: { ...describeDesign(design), revision: cutout!.revision, undo: cutout!.undo, files: [file] },
        images: [await toImage(preview)],
        files: [file],
      });
    },
  );
}
