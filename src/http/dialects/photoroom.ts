/** POST /v1/segment and GET /v1/account: Photoroom's basic interface. */
import { fromMilli } from '../../accounts/credit-store.ts';
import { readSegmentOrder } from '../../dialects/photoroom/fields.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { noLimit } from '../routes/credits.ts';
import { readBody } from './body.ts';
import { cutForCall, sendCutout } from './cutout-call.ts';
import * as document from './photoroom-document.ts';

export function addPhotoroom(server: Server, rooms: ServerDependencies): void {
  const { upload, image } = rooms.published;
  server.post(
    '/v1/segment',
    { config: { scope: 'render', operation: 'segment' }, schema: document.segment },
    async (request, reply) => {
      const cutout = await cutForCall(rooms, request, reply, {
        readOrder: async () => readSegmentOrder(await readBody(request, upload, image.maxBytes)),
        // Never called: this interface has neither regions nor URLs.
        refuseRegion: (fault) => new Error(fault),
        blameFetch: (error) => error,
      });
      // More decimals would suggest more precision than the score has.
      reply.header('x-uncertainty-score', Math.round((1 - cutout.confidence) * 1000) / 1000);
      return sendCutout(request, reply, cutout, (base64img) => ({ base64img }));
    },
  );

  server.get(
    '/v1/account',
    { config: { operation: 'segment-account' }, schema: document.account },
    async (request) => {
      const { keyId, sandbox } = callerOf(request);
      const { remainingMilli } = await rooms.credits.readQuota(keyId);
      const available = remainingMilli === null || sandbox ? noLimit : fromMilli(remainingMilli);
      return { credits: { available, subscription: available } };
    },
  );
}
