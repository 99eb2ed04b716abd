/** POST /v1/design/preview.webp and its siblings: a small picture of a recipe, rendered quickly. */

import type { Server, ServerDependencies } from '../dependencies.ts';
import { addRenderEndpoint } from '../render-endpoint.ts';

export function addPreviewWebp(server: Server, rooms: ServerDependencies): void {
  for (const format of ['webp', 'png', 'jpeg', 'avif'] as const) {
    addRenderEndpoint(server, rooms, { target: 'preview', format, summary: `Preview a recipe as ${format}` });
  }
}
