/** GET /v1/design/{id}/events: server-sent events of one design, from the cutout to the last illustration. */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import type { Design } from '../../designs/design.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';

/** Maximum concurrent event streams per key. They do not count as concurrent calls. */
const listenersPerKey = 4;
/** Interval between keep-alive messages: most proxies close a connection that is idle for 60 s, some after 30 s. */
const beatMs = 15_000;
/** Maximum duration of a stream; the client may reconnect. */
const longestMs = 1_800_000;

export function addEvents(server: Server, rooms: ServerDependencies): void {
  const listeners = new Map<string, number>();
  const stopping = new AbortController();
  // An open stream would delay the shutdown.
  server.addHook('preClose', async () => stopping.abort());

  server.get(
    '/v1/design/:id/events',
    {
      exposeHeadRoute: false,
      config: { operation: 'design-events', holdsPlace: false },
      schema: {
        operationId: 'getDesignEvents',
        summary: 'Follow the progress of a design',
        description: `Server-sent events: \`design\` (its current state, again when the cutout is ready or has failed, and again when the cutout is improved), \`illustration\` (a picture is drawn, painted or has failed), and \`end\` when no more events will follow. At most ${listenersPerKey} streams per key.`,
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: z.string() } } },
        },
      },
    },
    async (request, reply) => {
      const { accountId, keyId } = callerOf(request);
      const design = await rooms.designs.resolveDesign(request.params.id, accountId);
      const open = listeners.get(keyId) ?? 0;
      if (open >= listenersPerKey) {
        throw new PackshotError(
          'rate_limited',
          `A key may have at most ${listenersPerKey} open event streams; close one.`,
          { retryAfterS: 5 },
        );
      }
      listeners.set(keyId, open + 1);
      const stream = new PassThrough();
      follow(design, keyId, stream, reply)
        .finally(() => {
          const left = listeners.get(keyId)! - 1;
          if (left > 0) listeners.set(keyId, left);
          else listeners.delete(keyId);
        })
        .catch((error) => {
          // The response has already started, so the client sees only that the stream ends.
          request.log.warn({ err: error }, 'event stream failed');
        });
      return sendEvents(reply, stream);
    },
  );

  /** Resolves when there are no more events, or the client has disconnected. */
  async function follow(
    design: Design,
    keyId: string,
    stream: PassThrough,
    reply: FastifyReply,
  ): Promise<void> {
    const stop = new AbortController();
    const end = () => stop.abort(new DOMException('The event stream has ended.', 'AbortError'));
    const timer = setTimeout(end, longestMs);
    // A key may be revoked while its stream is open. A failed look-up is repeated with the next beat.
    const checking = setInterval(() => {
      void rooms.isKeyValid(keyId).then(
        (isValid) => isValid || end(),
        () => undefined,
      );
    }, beatMs);
    const gone = disconnectSignal(reply);
    for (const signal of [gone, stopping.signal]) signal.addEventListener('abort', end, { once: true });
    if (gone.aborted || stopping.signal.aborted) end();
    try {
      await followDesign(rooms, design, stream, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      clearInterval(checking);
      stopping.signal.removeEventListener('abort', end);
      stream.end();
    }
  }
}

function sendEvents(reply: FastifyReply, stream: Readable): FastifyReply {
  return (
    reply
      .type('text/event-stream')
      .header('cache-control', 'private, no-store, no-transform')
      // Without this header, nginx would buffer the events.
      .header('x-accel-buffering', 'no')
      // A connection that is kept alive would delay the shutdown.
      .header('connection', 'close')
      .send(stream)
  );
}

async function followDesign(
  { designs, cutouts, progress, listDrawing }: ServerDependencies,
  design: Design,
  stream: PassThrough,
  signal: AbortSignal,
): Promise<void> {
  const tell = (event: string, data: object) =>
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  let changed = Promise.withResolvers<void>();
  const look = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  /**
   * Illustrations already reported as finished or failed. The stream does not wait for these, even if their job or row
   * still exists for a moment.
   */
  const over = new Set<string>();
  const stopListening = progress.listen(design.id, (told) => {
    if (told) {
      tell('illustration', told);
      over.add(told.illustrationId);
    }
    look();
  });
  const stopWatching = cutouts.onImproved(design.id, () => {
    // If the lookup fails, only this event is lost; the client can still get the design.
    void designs.findDesign(design.id).then(
      (improved) => improved && stream.writable && tell('design', toDesignAnswer(improved)),
      () => undefined,
    );
  });
  const beat = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(': beat\n\n');
    // No event reports that the design was deleted, so check regularly whether illustrations are still being made.
    look();
  }, beatMs);
  const onAbort = () => changed.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    tell('design', toDesignAnswer(design));
    if (design.state === 'processing') {
      await cutouts.joinCutout(design, signal).catch((error: unknown) => {
        // If the cutout failed, the design's row says why. If storage is unavailable, the outcome is unknown.
        if (error instanceof PackshotError && error.retryable) throw error;
      });
      signal.throwIfAborted();
      const settled = await designs.findDesign(design.id);
      if (settled) tell('design', toDesignAnswer(settled));
    }
    for (;;) {
      const { promise } = changed;
      if (signal.aborted) break;
      const drawing = await listDrawing(design.id);
      if (drawing.every((illustration) => over.has(illustration))) break;
      await promise;
    }
    if (!signal.aborted) tell('end', {});
  } finally {
    clearInterval(beat);
    signal.removeEventListener('abort', onAbort);
    stopListening();
    stopWatching();
  }
}
