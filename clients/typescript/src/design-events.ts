/** The events of a design, from its cutout to its last illustration, with reconnects. */

import { readChunks } from './answered-bytes.ts';
import type { Design } from './api-types.ts';
import { type CallOptions, callService, type Transport, wait } from './call-service.ts';
import { PackshotError } from './packshot-error.ts';

export type DesignEvent =
  | {
      /**
       * The state of the design: sent immediately, again when the cutout is ready or has failed, and again when the
       * cutout is improved.
       */
      readonly type: 'design';
      readonly design: Design;
    }
  | {
      /** `drawn`: the preview is ready. `painted`, `failed`: outcome of the illustration engine. */
      readonly type: 'illustration';
      readonly illustrationId: string;
      readonly state: 'drawn' | 'painted' | 'failed';
    };

/** The client reconnects after this many milliseconds without data; the service sends data every 15 s. */
const silenceMs = 45_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Ends after the last event. Reconnects after a lost connection, and then yields the design again only if its state
 * has changed in the meantime. Events of illustrations are lost if they occur between the two connections.
 */
export async function* followDesign(
  transport: Transport,
  path: string,
  { signal }: CallOptions,
): AsyncGenerator<DesignEvent, void> {
  let known = '';
  for (let broken = 0; ; broken++) {
    if (broken > 0) await wait(Math.min(longestPauseMs, firstPauseMs * 2 ** (broken - 1)), signal);
    const connection = new AbortController();
    const leave = () => connection.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const response = await callService(transport, { method: 'GET', path, signal: connection.signal });
      for await (const { event, data } of readEvents(response, connection)) {
        broken = 0;
        if (event === 'end') return;
        if (event === 'illustration') yield { type: 'illustration', ...JSON.parse(data) };
        if (event !== 'design' || data === known) continue;
        known = data;
        yield { type: 'design', design: JSON.parse(data) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      // An error response ends the iteration; after a lost connection, the client reconnects.
      if (error instanceof PackshotError) throw error;
    } finally {
      signal?.removeEventListener('abort', leave);
      connection.abort();
    }
    signal?.throwIfAborted();
  }
}

interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Parses server-sent events (WHATWG HTML, 9.2.6) as far as this service uses them: `event` and one line of
 * `data`.
 */
async function* readEvents(
  response: Response,
  connection: AbortController,
): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  let text = '';
  let silence = setTimeout(() => connection.abort(), silenceMs);
  try {
    for await (const chunk of readChunks(response.body ?? new Blob([]).stream())) {
      clearTimeout(silence);
      silence = setTimeout(() => connection.abort(), silenceMs);
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const fields = new Map(block.split('\n').map((line) => splitField(line)));
        const data = fields.get('data');
        if (data !== undefined) yield { event: fields.get('event') ?? 'message', data };
      }
    }
  } finally {
    clearTimeout(silence);
  }
}

function splitField(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
}
