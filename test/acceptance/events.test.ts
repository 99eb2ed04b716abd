import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdRemover } from './held-remover.ts';
import { cratePhoto, emptyPhoto, jsonOf, problemOf, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ MAX_IN_FLIGHT: '6', RENDER_WORKERS: '2' });
});
afterAll(() => service.stop());

interface Told {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions read its fields.
  readonly data: any;
}

const open = (id: string, init?: RequestInit) => service.call(`/v1/design/${id}/events`, init);

/** Reads the stream to its end, and returns the events. */
async function readEvents(response: Response): Promise<Told[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event:'));
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) };
  });
}

describe('GET /v1/design/{id}/events', () => {
  it('reports a cutout in progress, and ends when it is ready', async () => {
    const remover = await holdRemover();
    const slow = await startService(remover.environment);
    try {
      const id = await slow.upload(await cratePhoto());
      const response = await slow.call(`/v1/design/${id}/events`);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      remover.release();
      const told = await readEvents(response);
      expect(told.map(({ event, data }) => [event, data.status])).toEqual([
        ['design', 'processing'],
        ['design', 'ready'],
        ['end', undefined],
      ]);
      expect(told[1]?.data).toEqual(await jsonOf(slow.call(`/v1/design/${id}`)));
    } finally {
      remover.release();
      await slow.stop();
      remover.close();
    }
  });

  it('reports why a cutout failed', async () => {
    const id = await service.upload(await emptyPhoto());
    const told = await readEvents(await open(id));
    expect(told.at(-2)?.data).toMatchObject({ status: 'failed', error: { code: 'no_subject_found' } });
    expect(told.at(-1)?.event).toBe('end');
  });

  it('reports an illustration as soon as it is rendered', async () => {
    const id = await service.upload(await cratePhoto());
    const { suggestedRecipeLists } = await jsonOf(
      service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } }),
    );
    let said = '';
    for await (const bytes of (await open(id)).body!.pipeThrough(new TextDecoderStream())) {
      said += bytes;
      if (said.includes('event: illustration')) break;
    }
    const [, news = ''] = /event: illustration\ndata: (.*)\n\n/.exec(said) ?? [];
    const { illustrationId, state } = JSON.parse(news);
    expect(state).toBe('drawn');
    expect(JSON.stringify(suggestedRecipeLists)).toContain(illustrationId);
    expect(said).not.toContain('event: end');
  });

  it('responds with 404 for an unknown design, and with 405 to HEAD', async () => {
    const unknown = await problemOf(await open('dsg_0000000000000000000000'));
    expect(unknown).toMatchObject({ status: 404, code: 'design_not_found' });
    expect((await open('x', { method: 'HEAD' })).status).toBe(405);
  });
});

describe('open event streams', () => {
  it('are limited to four per key, do not count as concurrent calls, and end with the service', async () => {
    const remover = await holdRemover();
    const busy = await startService({ ...remover.environment, MAX_IN_FLIGHT: '2' });
    try {
      const id = await busy.upload(await cratePhoto());
      const follow = () => busy.call(`/v1/design/${id}/events`);
      const streams = await Promise.all(Array.from({ length: 4 }, follow));
      expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await problemOf(await follow())).toMatchObject({ status: 429, code: 'rate_limited' });
      expect((await busy.call('/v1/limits')).status).toBe(200);
      await streams[0]!.body!.cancel();
      const again = await retry(follow);
      expect(again.status).toBe(200);
      const stopped = busy.stop();
      await Promise.all([...streams.slice(1), again].map((stream) => stream.text()));
      remover.release();
      await stopped;
    } finally {
      remover.release();
      await busy.stop();
      remover.close();
    }
  });
});

/** Repeats the call until a slot is free, because the service notices a disconnect only after a moment. */
async function retry(call: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await call();
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
