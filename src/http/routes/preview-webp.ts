/** POST /v1/design/preview.webp and its siblings: a quick small picture of a recipe. */
import { addRenderEndpoint } from '../render-endpoint.ts';
import type { Rooms, Server } from '../rooms.ts';

export function addPreviewWebp(server: Server, rooms: Rooms): void {
  for (const format of ['webp', 'png', 'jpeg', 'avif'] as const) {
    addRenderEndpoint(server, rooms, { target: 'preview', format, summary: `Preview a recipe as ${format}` });
  }
}
