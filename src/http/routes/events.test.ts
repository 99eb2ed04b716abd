import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import type { ProcessingDesign } from '../../designs/design.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { sendProblem } from '../problem.ts';
import { addDesign } from './design.ts';
import { addEvents } from './events.ts';

const design: ProcessingDesign = {
  id: 'dsg_a',
  accountId: 'acc_own',
  state: 'processing',
  cutoutDueAt: null,
  createdAt: new Date(0),
  expiresAt: null,
  image: {
    format: 'jpeg',
    width: 100,
    height: 100,
    bytes: 1_000,
    sha256: 'a'.repeat(64),
    colorSpace: 'srgb',
    hasAlpha: false,
  },
  origin: { fileName: undefined, kindHint: undefined },
};

let failure: PackshotError | undefined;
let isKeyValid: boolean;
let server: FastifyInstance;
beforeEach(async () => {
  server = Fastify();
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  server.decorateRequest('caller', null);
  server.addHook('onRequest', async (request) => {
    request.caller = {
      accountId: 'acc_own',
      keyId: 'key_a',
      scopes: [],
      sandbox: false,
      rate: { perSecond: 1, burst: 1 },
    };
  });
  server.decorateRequest('waitedMs', 0);
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  const rooms = {
    designs: { resolveDesign: async () => design, findDesign: async () => design },
    isKeyValid: async () => isKeyValid,
    cutouts: {
      joinCutout: (_: unknown, signal: AbortSignal) =>
        failure
          ? Promise.reject(failure)
          : new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
      onImproved: () => () => undefined,
    },
    progress: { listen: () => () => undefined },
    listDrawing: async () => [],
    published: { deadlineMs: { generated: 50 } },
  } as unknown as ServerDependencies;
  addEvents(server as unknown as Server, rooms);
  addDesign(server as unknown as Server, rooms);
});
afterEach(() => server.close());

const readEvents = async () => (await server.inject('/v1/design/dsg_a/events')).body;

describe('the events of a design', () => {
  it('break off without an `end` event if storage fails while the cutout is being made', async () => {
    failure = new PackshotError('storage_unavailable', 'away');
    expect(await readEvents()).not.toContain('event: end');
  });

  it('break off soon after their key was revoked', async () => {
    failure = undefined;
    isKeyValid = false;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const events = readEvents();
      await vi.waitFor(() =>
        vi.advanceTimersByTimeAsync(15_000).then(() => expect(vi.getTimerCount()).toBe(0)),
      );
      expect(await events).not.toContain('event: end');
    } finally {
      vi.useRealTimers();
    }
  });

  it('end with an `end` event if the cutout failed', async () => {
    failure = new PackshotError('no_subject_found', 'nothing there');
    expect(await readEvents()).toContain('event: end');
  });
});

it('a design whose cutout is waited for in vain is a 504, never `processing`', async () => {
  failure = undefined;
  const answer = await server.inject('/v1/design/dsg_a?wait=true');
  expect([answer.statusCode, answer.json().code]).toEqual([504, 'deadline_exceeded']);
});
