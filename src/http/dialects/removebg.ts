/** POST /v1.0/removebg, GET /v1.0/account, POST /v1.0/improve: the interface of remove.bg, version 1.0. */
import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { fromMilli } from '../../accounts/credit-store.ts';
import type { DialectCutout } from '../../dialects/cut-for-dialect.ts';
import { describeFailure, refuse } from '../../dialects/removebg/errors.ts';
import { readOrder, readSource } from '../../dialects/removebg/fields.ts';
import { fitSize, limitPixels } from '../../dialects/sizes.ts';
import { atLevel } from '../../dialects/subject-class.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { noLimit } from '../routes/credits.ts';
import { readBody } from './body.ts';
import { cutForCall, sendCutout } from './cutout-call.ts';
import type { Dialect } from './dialect.ts';
import * as document from './removebg-document.ts';

const regionTitles = {
  roi_exceeds_bounds: 'ROI exceeds image bounds',
  roi_region_empty: 'ROI region is empty',
} as const;
const fetchFaults = {
  photo: ['failed_image_download', 'Failed to download image from given image_url'],
  background: ['failed_bg_download', 'Failed to download background image from given image_url'],
} as const;

export const removebg: Dialect = { paths: ['/v1.0', '/v1.0/*'], describeFailure, addRoutes };

function addRoutes(server: Server, rooms: ServerDependencies): void {
  // In remove.bg's header, the reset time is a Unix timestamp; in our own, it is the number of seconds from now.
  server.addHook('onSend', async (_, reply) => {
    const resetS = reply.getHeader('ratelimit-reset');
    if (typeof resetS === 'number') reply.header('x-ratelimit-reset', Math.ceil(Date.now() / 1000) + resetS);
  });

  server.post(
    '/v1.0/removebg',
    { config: { scope: 'render', operation: 'removebg', readsBody: true }, schema: document.removebg },
    async (request, reply) => {
      const cutout = await cutForCall(rooms, request, reply, {
        timeoutMs: rooms.published.dialectDeadlinesMs.removebg,
        readOrder: async () => readOrder(await readBody(request, rooms.published)),
        refuseRegion: (fault) => refuse(fault, regionTitles[fault]),
        blameFetch: (error, what) => {
          const [code, title] = fetchFaults[what];
          return refuse(code, `${title}: ${error.message}`);
        },
      });
      addHeaders(reply, cutout);
      const { x, y, width, height } = cutout.foreground;
      return sendCutout(request, reply, cutout, (result_b64) => ({
        data: {
          result_b64,
          foreground_top: y,
          foreground_left: x,
          foreground_width: width,
          foreground_height: height,
        },
      }));
    },
  );

  server.get(
    '/v1.0/account',
    { config: { operation: 'removebg-account' }, schema: document.account },
    async (request) => {
      const { keyId, sandbox } = callerOf(request);
      const { remainingMilli } = await rooms.credits.readQuota(keyId);
      const isFree = remainingMilli === null || sandbox;
      const total = isFree ? noLimit : fromMilli(remainingMilli);
      return {
        data: {
          attributes: {
            credits: { total, subscription: 0, payg: total, enterprise: 0 },
            api: { free_calls: isFree ? noLimit : 0, sizes: 'all' },
          },
        },
      };
    },
  );

  // Packshot trains no model, so the picture is discarded.
  server.post(
    '/v1.0/improve',
    { config: { scope: 'upload', operation: 'removebg-improve', readsBody: true }, schema: document.improve },
    async (request) => {
      readSource(await readBody(request, rooms.published));
      return { id: randomUUID() };
    },
  );
}

function addHeaders(reply: FastifyReply, cutout: DialectCutout): void {
  const { order, photo, foreground, receipt, width, height } = cutout;
  const most = fitSize(photo, Math.max(limitPixels({ ...order, size: 'full' }), width * height));
  reply.headers({
    'x-width': width,
    'x-height': height,
    'x-max-width': most.width,
    'x-max-height': most.height,
    ...(order.level && { 'x-type': atLevel(cutout.subject, order.level) }),
    // Clients expect a number even if the key has unlimited credits.
    'x-credits-charged': receipt.remaining === null ? 0 : receipt.charged,
    'x-foreground-top': foreground.y,
    'x-foreground-left': foreground.x,
    'x-foreground-width': foreground.width,
    'x-foreground-height': foreground.height,
  });
}
