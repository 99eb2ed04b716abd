/** Notices by LISTEN and NOTIFY: one channel, and one listening connection per process. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { NoticeListener, Notices } from './notices.ts';
import { endClient, postgresSettings } from './postgres.ts';
import type { Schema } from './schema.ts';
import { toStorageError } from './storage-errors.ts';

const channel = 'packshot';
/** Maximum bytes of news. PostgreSQL limits payloads to less than 8,000 bytes; topic and key must fit too. */
const mostNewsBytes = 7_000;
/** Milliseconds between pings. A connection that was lost silently is detected within twice this time. */
const pingMs = 3_000;
/** Milliseconds between attempts to reconnect. */
const pausesMs = { first: 100, longest: 2_000 };

interface Told {
  /** ID of the sending process. That process ignores the notice, because it has already told its own listeners. */
  readonly by: string;
  readonly topic: string;
  readonly key: string;
  readonly news?: unknown;
}

export function openPostgresNotices(
  database: Kysely<Schema>,
  { url, onError }: { readonly url: string; readonly onError: (error: unknown) => void },
): Notices {
  const self = randomUUID();
  const emitter = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();
  const untold: string[] = [];
  let telling: Promise<void> | undefined;
  let listening: Promise<void> | undefined;

  function hear(payload: string | undefined): void {
    try {
      const { by, topic, key, news } = JSON.parse(payload!) as Told;
      if (by !== self) emitter.emit(topic, key, news);
    } catch (error) {
      // Any client of this database may send arbitrary payloads on the channel.
      onError(error);
    }
  }

  /** Sends notices in order. Notices that arrive while a statement runs are sent together in the next statement. */
  async function tellAll(): Promise<void> {
    for (;;) {
      const payloads = JSON.stringify(untold.splice(0));
      await sql`select pg_notify(${channel}, payload) from json_array_elements_text(${payloads}::json) as payload`
        .execute(database)
        .catch(onError);
      if (untold.length > 0) continue;
      telling = undefined;
      return;
    }
  }

  /** Listens until the connection is lost, and then rejects with the reason. */
  async function listenOnce(onListening: () => void): Promise<void> {
    const client = new pg.Client({ ...postgresSettings(url), query_timeout: pingMs });
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('Connection terminated')));
    });
    lost.catch(() => undefined);
    client.on('notification', ({ payload }) => hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onListening();
      while (!closing.signal.aborted) {
        await Promise.race([lost, pause(pingMs, undefined, { signal: closing.signal })]);
        await client.query('select 1');
      }
    } finally {
      await endClient(client);
    }
  }

  async function listenForGood(): Promise<void> {
    let pauseMs = pausesMs.first;
    let known = false;
    while (!closing.signal.aborted) {
      try {
        await listenOnce(() => {
          pauseMs = pausesMs.first;
          known = false;
          // Notices that were sent while there was no connection were missed.
          for (const topic of emitter.eventNames()) emitter.emit(topic, undefined, undefined);
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        // Report each loss of the connection only once, not every failed attempt to reconnect.
        if (!known) onError(toStorageError(error));
        known = true;
      }
      await pause(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(
        () => undefined,
      );
      pauseMs = Math.min(pausesMs.longest, pauseMs * 2);
    }
  }

  return {
    tell(topic, key, news) {
      emitter.emit(topic, key, news);
      const fits = Buffer.byteLength(JSON.stringify(news) ?? '') <= mostNewsBytes;
      const told: Told = { by: self, topic, key, ...(fits ? { news } : {}) };
      untold.push(JSON.stringify(told));
      telling ??= tellAll();
    },
    listen(topic: string, listener: NoticeListener) {
      emitter.on(topic, listener);
      listening ??= listenForGood();
      return () => void emitter.off(topic, listener);
    },
    async close() {
      closing.abort();
      await Promise.all([listening, telling]);
    },
  };
}
