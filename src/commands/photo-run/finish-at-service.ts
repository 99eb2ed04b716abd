/** `packshot remove --server`: processes photos on a running service. */
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { lendPhoto } from '../shared/service-client.ts';
import type { PhotoFinisher, PictureOrder } from './finish-photo.ts';

export function openServiceFinisher(
  client: PackshotClient,
  { recipe, format, quality, metadata, mask }: PictureOrder,
  maxBytes: number,
): PhotoFinisher {
  return {
    finish: (photo, signal) =>
      lendPhoto(client, photo, { maxBytes, signal }, async ({ id, subject: { confidence, issues } }) => {
        const ask = () => {
          if (recipe)
            return client.generate(
              { id, ...recipe, ...(quality !== undefined && { quality }), ...(metadata && { metadata }) },
              { format, signal },
            );
          if (mask) return client.matte(id, { signal });
          return client.cutout(id, {
            format: format === 'webp' ? 'webp' : 'png',
            ...(metadata && { metadata }),
            signal,
          });
        };
        const picture = await ask();
        return { picture: new Uint8Array(await picture.arrayBuffer()), confidence, issues };
      }),
    close: async () => undefined,
  };
}
