/** A machine that is too slow for all looks at a photo: the caller gets a picture in time, and the better cutout later. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeldRemover, holdRemover } from './held-remover.ts';
import { cratePhoto, jsonOf, type Service, startService, white } from './service.ts';

const previewDeadlineMs = 4_000;
let remover: HeldRemover;
let service: Service;
beforeAll(async () => {
  remover = await holdRemover();
  const PREVIEW_DEADLINE_MS = String(previewDeadlineMs);
  service = await startService({ ...remover.environment, REMOVAL_QUALITY: 'quality', PREVIEW_DEADLINE_MS });
});
afterAll(async () => {
  remover.release();
  await service.stop();
  remover.close();
});

const designOf = (id: string) => jsonOf(service.call(`/v1/design/${id}`));

describe('a photo whose first look took nearly as long as a preview may', () => {
  let id: string;
  let first: Record<'preview' | 'cutout', string>;
  const ask = {
    preview: () => service.call('/v1/design/preview.webp', { json: { id, ...white } }),
    cutout: () => service.call(`/v1/design/${id}/cutout.png`),
  };
  const etagOf = async (response: Promise<Response>) => {
    expect((await response).status).toBe(200);
    return (await response).headers.get('etag')!;
  };

  it('has its first preview from that look alone', async () => {
    id = await service.upload(await cratePhoto());
    await remover.asked(1);
    const { createdAt } = await designOf(id);
    await pause(Date.parse(createdAt) + previewDeadlineMs - Date.now());
    const preview = etagOf(ask.preview());
    remover.release(1);
    first = { preview: await preview, cutout: await etagOf(ask.cutout()) };
    expect(await designOf(id)).toMatchObject({ status: 'ready', improving: true });
  });

  it('has a better cutout once nothing else is waiting, with other ETags', { timeout: 120_000 }, async () => {
    remover.release();
    while ((await designOf(id)).improving) await pause(100);
    expect(await designOf(id)).toMatchObject({ status: 'ready', improving: false });
    expect(await etagOf(ask.preview())).not.toBe(first.preview);
    expect(await etagOf(ask.cutout())).not.toBe(first.cutout);
    const { status } = await service.call(`/v1/design/${id}/cutout.png`, {
      headers: { 'if-none-match': first.cutout },
    });
    expect(status).toBe(200);
  });
});
