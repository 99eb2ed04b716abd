/** `packshot remove --server`: photos finished by a running service. */
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import type { PhotoFinisher, PictureOrder } from './finish-photo.ts';
import { lendPhoto } from './service-client.ts';

export function openServiceFinisher(
  client: PackshotClient,
  { recipe, format }: PictureOrder,
  maxBytes: number,
): PhotoFinisher {
  return {
    finish: (photo, signal) =>
      lendPhoto(client, photo, { maxBytes, signal }, async ({ id, subject: { confidence, issues } }) => {
        const picture = recipe
          ? await client.generate({ id, ...recipe }, { format, signal })
          : await client.cutout(id, { format: format === 'webp' ? 'webp' : 'png', signal });
        return { picture: new Uint8Array(await picture.arrayBuffer()), confidence, issues };
      }),
    close: async () => undefined,
  };
}
