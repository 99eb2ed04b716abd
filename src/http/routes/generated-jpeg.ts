/** POST /v1/design/generated.jpeg and the same in other formats: the full version of a picture. */

import type { Server, ServerDependencies } from '../dependencies.ts';
import { addRenderEndpoint } from '../render-endpoint.ts';

export function addGeneratedJpeg(server: Server, rooms: ServerDependencies): void {
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
    addRenderEndpoint(server, rooms, {
      target: 'generated',
      format,
      summary: `Make the full version as ${format}`,
    });
  }
}
