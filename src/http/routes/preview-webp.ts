/** POST /v1/design/preview.webp and the same in other formats: a small version of a picture, rendered quickly. */

import type { Server, ServerDependencies } from '../dependencies.ts';
import { addRenderEndpoint } from '../render-endpoint.ts';

export function addPreviewWebp(server: Server, rooms: ServerDependencies): void {
  for (const format of ['webp', 'png', 'jpeg', 'avif'] as const) {
    addRenderEndpoint(server, rooms, { target: 'preview', format, summary: `Preview a recipe as ${format}` });
  }
}
