/** GET /v1/design/{id}/events: server-sent events of one design, from its cutout to its last illustration. */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CallsInFlight } from '../../accounts/calls-in-flight.ts';
import type { Design } from '../../designs/design.ts';
import { PackshotError } from '../../errors.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';

/** Of one key at once; they hold no place among its calls. */
const listenersPerKey = 4;
/** Proxies end connections that are silent for a minute, some for half of one. */
const beatMs = 15_000;
/** A listener that hears nothing more for so long may ask again. */
const longestMs = 1_800_000;

export function addEvents(server: Server, rooms: ServerDependencies): void {
  const listeners = new CallsInFlight(listenersPerKey);
  const stopping = new AbortController();
  // A stream without end would hold up the stop.
  server.addHook('preClose', async () => stopping.abort());

  server.get(
    '/v1/design/:id/events',
    {
      exposeHeadRoute: false,
      config: { operation: 'design-events', holdsPlace: false },
      schema: {
        operationId: 'getDesignEvents',
        summary: 'Follow a design',
        description: `Server-sent events: \`design\` (its state now, once it is settled, and again where its cutout is improved), \`illustration\` (a picture is drawn, painted or given up), and \`end\` when nothing more is to come. At most ${listenersPerKey} a key.`,
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
      if (!listeners.enter(keyId)) {
        throw new PackshotError(
          'rate_limited',
          `At most ${listenersPerKey} streams of events of a key are open at once; close one of yours.`,
          { retryAfterS: 5 },
        );
      }
      const stream = new PassThrough();
      follow(design, stream, reply)
        .finally(() => listeners.leave(keyId))
        .catch((error) => {
          // Told to the listener by the end of the stream alone: its answer has begun.
          request.log.warn({ err: error }, 'events broke off');
        });
      return sendEvents(reply, stream);
    },
  );

  /** Resolves when there is nothing more to tell, or nobody to tell it to. */
  async function follow(design: Design, stream: PassThrough, reply: FastifyReply): Promise<void> {
    const stop = new AbortController();
    const end = () => stop.abort(new DOMException('Nobody listens any more.', 'AbortError'));
    const timer = setTimeout(end, longestMs);
    const gone = disconnectSignal(reply);
    for (const signal of [gone, stopping.signal]) signal.addEventListener('abort', end, { once: true });
    if (gone.aborted || stopping.signal.aborted) end();
    try {
      await followDesign(rooms, design, stream, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
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
      // nginx would keep the events back until it has a buffer full of them.
      .header('x-accel-buffering', 'no')
      // Kept alive, it would hold up the stop of the service.
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
  /** Those that are over, though their job or row may take a moment longer to go. */
  const over = new Set<string>();
  const stopListening = progress.listen(design.id, (told) => {
    if (told) {
      tell('illustration', told);
      over.add(told.illustrationId);
    }
    look();
  });
  const stopWatching = cutouts.onImproved(design.id, () => {
    // A listener is told of what it can see again in the row: a failed look costs nothing but this event.
    void designs.findDesign(design.id).then(
      (improved) => improved && stream.writable && tell('design', toDesignAnswer(improved)),
      () => undefined,
    );
  });
  const beat = setInterval(() => {
    if (!stream.writableNeedDrain) stream.write(': beat\n\n');
    // What was erased tells of no end.
    look();
  }, beatMs);
  const onAbort = () => changed.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    tell('design', toDesignAnswer(design));
    if (design.state === 'processing') {
      await cutouts.joinCutout(design, signal).catch((error: unknown) => {
        // Why there is no cutout the row says; while the storage is away nobody knows whether there is one.
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
