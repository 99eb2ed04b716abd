import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../storage/database.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../storage/testing/postgres-server.ts';
import { openQueue } from './open-queue.ts';
import type { Queue } from './queue.ts';
import { enqueue, openGate, workOn } from './testing/queue-under-test.ts';

const inTime = { timeout: 20_000, interval: 20 };

// These tests start and stop a server of their own, because a server given by URL is shared with other tests.
describe.skipIf(findPostgres() === undefined)(
  'the queue during a database outage',
  { timeout: 60_000 },
  () => {
    let server: PostgresServer;
    let opened: OpenDatabase;
    let queues: Queue[];
    let errors: unknown[];
    let url: string;
    beforeEach(async () => {
      server = await startPostgres();
      url = await server.createDatabase();
      opened = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
      queues = [];
      errors = [];
    });
    afterEach(async () => {
      await Promise.all(queues.map((queue) => queue.close({ graceMs: 100 })));
      await opened.close();
      await server.stop();
    });

    async function open(): Promise<Queue> {
      const { database, notices } = opened;
      const onError = (error: unknown) => void errors.push(error);
      const queue = openQueue({ database, notices, clock: Date.now, sharedUrl: url, onError });
      queues.push(queue);
      return queue;
    }

    for (const mode of ['fast', 'immediate'] as const) {
      it(`loses no job and repeats no finished job (${mode} halt)`, async () => {
        const [one, two] = [await open(), await open()];
        const gate = openGate();
        const begun: string[] = [];
        const run = async (key: string) => {
          begun.push(key);
          await gate.opened;
        };
        const workers = [one, two].map((queue) => workOn(queue, { concurrency: 2, run }));
        const keys = Array.from({ length: 8 }, (_, i) => `key.${i}`);
        await enqueue({ queue: one, database: opened.database }, 'cut', ...keys);
        await gate.reached(4);
        await server.halt(mode);
        // Four jobs finish while the database is down.
        gate.open();
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        await server.start();
        await vi.waitFor(async () => expect(await one.count('cut')).toBe(0), inTime);
        // The jobs that had been running were recorded as finished once the database was back, so no other process ran
        // them again.
        expect(begun.toSorted()).toEqual(keys);
        expect(workers.flatMap(({ givenUp }) => givenUp)).toEqual([]);
        expect(errors.length).toBeGreaterThan(0);
        expect(errors.length).toBeLessThan(10);
      });
    }
  },
);
