/**
 * A machine too slow for all passes over a photo (a pass is one run of the removal engine): the caller gets a picture
 * in time, and the better cutout follows.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeldRemover, holdRemover } from './held-remover.ts';
import { cratePhoto, formWith, jsonOf, type Service, startService, white } from './service.ts';

const previewDeadlineMs = 4_000;
let remover: HeldRemover;
let service: Service;
beforeAll(async () => {
  remover = await holdRemover();
  service = await startService({
    ...remover.environment,
    REMOVAL_QUALITY: 'quality',
    PREVIEW_DEADLINE_MS: String(previewDeadlineMs),
  });
});
afterAll(async () => {
  remover.release();
  await service.stop();
  remover.close();
});

const designOf = (id: string) => jsonOf(service.call(`/v1/design/${id}`));

async function etagOf(response: Promise<Response>): Promise<string> {
  expect((await response).status).toBe(200);
  return (await response).headers.get('etag')!;
}

const askPreview = (id: string) =>
  etagOf(service.call('/v1/design/preview.webp', { json: { id, ...white } }));

/**
 * Uploads a photo and holds its first pass until the preview deadline, counted from the upload. Returns the ETag of a
 * preview that is requested just before the pass ends. `looksBefore`: number of passes of earlier photos.
 */
async function uploadSlowly(width: number, looksBefore: number) {
  const id = await service.upload(await cratePhoto({ width }));
  await remover.asked(looksBefore + 1);
  const { createdAt } = await designOf(id);
  await pause(Date.parse(createdAt) + previewDeadlineMs - Date.now());
  const first = askPreview(id);
  remover.release(1);
  return { id, first: await first };
}

describe('a photo whose first pass lasts as long as a preview may take', { timeout: 120_000 }, () => {
  it('gets its preview from that pass alone, and its full version from all passes', async () => {
    const { id, first } = await uploadSlowly(320, 0);
    expect(await designOf(id)).toMatchObject({ status: 'ready', improving: true });
    const full = etagOf(service.call('/v1/design/generated.jpeg', { json: { id, ...white } }));
    await remover.asked(2);
    remover.release(1);
    await full;
    expect(await designOf(id)).toMatchObject({ status: 'ready', improving: false });
    expect(await askPreview(id)).not.toBe(first);
  });

  it('is corrected in the better cutout', async () => {
    const { id } = await uploadSlowly(360, 2);
    expect(await designOf(id)).toMatchObject({ improving: true });
    const boxes = [{ mode: 'erase', x: 0, y: 0, width: 160, height: 240 }];
    const corrected = jsonOf(service.call(`/v1/design/${id}/correct`, { json: { boxes } }));
    await remover.asked(4);
    remover.release(1);
    expect(await corrected).toMatchObject({ improving: false, cutout: { revision: 2 } });
    const undone = await jsonOf(service.call(`/v1/design/${id}/correct`, { json: { undo: true } }));
    expect(undone).toMatchObject({ improving: false, cutout: { revision: 1 } });
  });

  it('gets its best cutout at once if it was uploaded as photos of batches are', async () => {
    const body = formWith(await cratePhoto({ width: 440 }));
    const path = '/v1/design/image-upload?urgency=batch';
    const { id, createdAt } = await jsonOf(service.call(path, { method: 'POST', body }));
    await remover.asked(5);
    await pause(Date.parse(createdAt) + previewDeadlineMs - Date.now());
    remover.release(1);
    await remover.asked(6);
    expect(await designOf(id)).toMatchObject({ status: 'processing' });
    remover.release(1);
    const design = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(design).toMatchObject({ status: 'ready', improving: false });
  });

  it('gets a better cutout and other ETags once the queue is empty', async () => {
    const { id, first } = await uploadSlowly(400, 6);
    expect(await designOf(id)).toMatchObject({ improving: true });
    remover.release();
    while ((await designOf(id)).improving) await pause(100);
    expect(await askPreview(id)).not.toBe(first);
  });
});
