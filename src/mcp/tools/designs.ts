/** The tools `get_design`, which returns the facts of a design, and `delete_design`, which deletes it. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { register } from '../register.ts';
import { answer, describeDesign, designFacts } from '../results.ts';
import type { ToolContext } from '../tool-context.ts';

const designId = z.string().max(100).describe('The `designId` that another tool returned.');

export function addGetDesign(server: McpServer, context: ToolContext): void {
  register(
    server,
    'get_design',
    {
      title: 'Get a design',
      description:
        'Returns what is known about a photo: state, size, position and kind of the product, and what to check.',
      inputSchema: z.object({ design_id: designId }),
      outputSchema: z.object({
        ...designFacts,
        status: z.enum(['processing', 'ready', 'failed']),
        width: z.number().int().describe("The photo's width in pixels."),
        height: z.number().int(),
        productKind: z.string().nullable(),
        improving: z.boolean().describe('Whether a better cutout is being made.'),
        failure: z.string().nullable(),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ design_id: id }, signal) => {
      const design = await (await context.openClient()).getDesign(id, { signal });
      const { status, image, productKind, improving, error } = design;
      return answer({
        facts: {
          ...describeDesign(design),
          status,
          width: image.width,
          height: image.height,
          productKind: productKind?.kind ?? null,
          improving,
          failure: error?.detail ?? null,
        },
      });
    },
  );
}

export function addDeleteDesign(server: McpServer, context: ToolContext): void {
  register(
    server,
    'delete_design',
    {
      title: 'Delete a design',
      description:
        'Immediately and permanently deletes a photo, its cutout and its scenes from the service. Files that other tools have written to disk are kept.',
      inputSchema: z.object({ design_id: designId }),
      outputSchema: z.object({ deleted: z.literal(true), designId: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ design_id: id }, signal) => {
      await (await context.openClient()).deleteDesign(id, { signal });
      return answer({ facts: { deleted: true, designId: id } });
    },
  );
}
