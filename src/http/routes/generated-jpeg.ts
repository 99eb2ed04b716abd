/** POST /v1/design/generated.jpeg and its siblings: the full version. */
import { addRenderEndpoint } from '../render-endpoint.ts';
import type { Rooms, Server } from '../rooms.ts';

export function addGeneratedJpeg(server: Server, rooms: Rooms): void {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    addRenderEndpoint(server, rooms, {
      target: 'generated',
      format,
      summary: `Make the full version as ${format}`,
    });
  }
}
