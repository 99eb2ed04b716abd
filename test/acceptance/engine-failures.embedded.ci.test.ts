/** One service whose engine fails in several ways: the studio draws the scene instead, and a warning says why. */
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { FakeServer } from '../../src/illustrations/engines/testing/fake-server.ts';
import {
  type Chosen,
  chooseAll,
  closeAll,
  drawEmptyPlate,
  expectFallback,
  generate,
  secret,
  startOpenAi,
  startWith,
} from './painted-scenes.ts';
import type { Service } from './service.ts';

let server: FakeServer;
let service: Service;
let scenes: Chosen[];
let write: MockInstance<typeof process.stdout.write>;
const logged: string[] = [];
beforeAll(async () => {
  write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logged.push(String(text));
    return true;
  });
  const engine = await startOpenAi(drawEmptyPlate);
  server = engine.server;
  const started = await startWith({
    ...engine.environment,
    ILLUSTRATION_PATIENCE_MS: '500',
    LOG_LEVEL: 'trace',
  });
  service = started.service;
  scenes = await chooseAll(service, started.id);
});
afterAll(async () => {
  await closeAll();
  write.mockRestore();
});

const edits = () => server.calls.filter(({ path }) => path.endsWith('/v1/images/edits'));

/**
 * Returns the preview's warning once the painting has failed. A call for the full version requests the painting, and
 * is aborted once the engine is called, because the studio would take seconds to draw the full version.
 */
async function untilFailed(chosen: Chosen): Promise<string> {
  const before = edits().length;
  const leave = new AbortController();
  const json = chosen;
  const full = service
    .call('/v1/design/generated.jpeg', { json, signal: leave.signal })
    .catch(() => undefined);
  await vi.waitFor(() => expect(edits().length).toBeGreaterThan(before), { timeout: 60_000, interval: 10 });
  leave.abort();
  await full;
  return vi.waitFor(async () => expectFallback(await service.call('/v1/design/preview.png', { json })), {
    timeout: 60_000,
    interval: 200,
  });
}

describe('an engine that fails', () => {
  it('is replaced by the studio after three paintings without the product, each with another seed', async () => {
    await untilFailed(scenes[0]!);
    expect(edits()).toHaveLength(3);
  });

  it('is replaced by the studio if it dies during a call', async () => {
    server.interject = () => 'break';
    expect(await untilFailed(scenes[1]!)).toMatch(/does not respond/);
  });

  it('leaks no secret in any log or response', async () => {
    server.interject = async () => ({ status: 401, body: { error: { message: `bad key ${secret}` } } });
    expect(await untilFailed(scenes[2]!)).not.toContain(secret);
    expect(logged.join('')).toContain('illustration');
    expect(logged.join('')).not.toContain(secret);
  });

  it('is replaced by the studio within the deadline if it never answers', async () => {
    server.interject = () => 'silence';
    expect(await expectFallback(await generate(service, scenes[3]!))).toMatch(/not done yet/);
  });
});
