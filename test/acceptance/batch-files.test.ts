/** Batches uploaded with their photos in one form. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readZip } from '../../src/batches/testing/read-zip.ts';
import {
  cratePhoto,
  cratePhotoInMargin,
  green,
  jsonOf,
  problemOf,
  type Service,
  startService,
  transparent,
  white,
} from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ MAX_FILE_BYTES: '60000', MAX_BATCH_BYTES: '200000' });
});
afterAll(() => service.stop());

type Files = readonly (readonly [name: string, bytes: Uint8Array])[];

function formOf(batch: unknown, files: Files): FormData {
  const form = new FormData();
  if (batch !== undefined) form.append('batch', typeof batch === 'string' ? batch : JSON.stringify(batch));
  for (const [name, bytes] of files) form.append('files', new Blob([new Uint8Array(bytes)]), name);
  return form;
}
const post = (batch: unknown, files: Files, headers: Record<string, string> = {}) =>
  service.call('/v1/jobs', { method: 'POST', body: formOf(batch, files), headers });
const end = (id: string) =>
  vi.waitFor(
    async () => {
      const batch = await jsonOf(service.call(`/v1/jobs/${id}`));
      expect(batch.status).toBe('completed');
      return batch;
    },
    { timeout: 120_000, interval: 100 },
  );

describe('a batch posted with its photos', () => {
  it('makes a picture of each file, named like the file, and reports failures only for bad files', async () => {
    const photo = await cratePhoto();
    const files: Files = [
      ['größe 1 "rot".jpg', photo],
      ['shoes/red.jpg', await cratePhoto({ width: 330 })],
      ['notes.jpg', Buffer.from('no picture')],
      ['empty.jpg', Buffer.of()],
      ['large.jpg', Buffer.alloc(60_001)],
    ];
    const response = await post(
      {
        items: [
          { file: 'größe 1 "rot".jpg', ...white },
          { file: 'größe 1 "rot".jpg', ...transparent, format: 'png' },
          { file: 'shoes/red.jpg', ...green, name: 'SKU 7' },
          { file: 'notes.jpg', ...white },
          { file: 'empty.jpg', ...white },
          { file: 'large.jpg', ...white },
        ],
      },
      files,
    );
    expect(response.status).toBe(202);
    const posted = await jsonOf(response);
    expect(posted).toMatchObject({ status: 'queued', counts: { total: 6, waiting: 6, failed: 0 } });

    const batch = await end(posted.id);
    const codes = batch.items.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(codes).toEqual([
      ...Array(3).fill(undefined),
      'unsupported_image_format',
      'missing_file',
      'file_too_large',
    ]);
    const [first, second] = batch.items;
    expect(first.designId).toMatch(/^dsg_/);
    expect(second.designId).toBe(first.designId);
    const results = await service.call(`/v1/jobs/${posted.id}/results.zip`);
    const [, ...pictures] = await readZip(Buffer.from(await results.arrayBuffer()));
    expect(pictures.map(({ name }) => name)).toEqual([
      'größe 1 _rot_.jpeg',
      'größe 1 _rot_.png',
      'SKU 7.jpeg',
    ]);
    const id = await service.upload(photo);
    const asked = await service.call('/v1/design/generated.jpeg', { json: { id, ...white } });
    expect(pictures[0]!.bytes.equals(Buffer.from(await asked.arrayBuffer()))).toBe(true);
  });

  it('cuts each photo out as its item wishes, or leaves it as it is', async () => {
    const photo = await cratePhotoInMargin();
    const wishes = [{ alpha: 'ignore' }, { alpha: 'keep' }, { cutout: 'none' }];
    const items = wishes.map((wish, n) => ({ file: `${n}.png`, ...white, ...wish }));
    const files = items.map(({ file }) => [file, photo] as const);
    const { items: made } = await end((await jsonOf(post({ items }, files))).id);
    const subjects = made.map(async ({ designId }: { designId: string }) => {
      const { subject } = await jsonOf(service.call(`/v1/design/${designId}`));
      return [Math.round(10 * subject.coverage) / 10, subject.kind?.name === 'cut_out'];
    });
    expect(await Promise.all(subjects)).toEqual([
      [0.2, false],
      [0.7, true],
      [0.7, false],
    ]);
  });

  it('is created once if the call is repeated with its Idempotency-Key, and refused if the body differs', async () => {
    const photo = await cratePhoto();
    const batch = { items: [{ file: 'a.jpg', ...white }] };
    const key = { 'idempotency-key': 'batch-of-files' };
    const first = await jsonOf(post(batch, [['a.jpg', photo]], key));
    const again = await jsonOf(post(batch, [['a.jpg', photo]], key));
    expect(again).toEqual(first);
    const other = await post(batch, [['a.jpg', await cratePhoto({ width: 340 })]], key);
    expect(await problemOf(other)).toMatchObject({ code: 'idempotency_mismatch' });
    await end(first.id);
  });

  it('accepts its JSON document as a file part, as some clients send it', async () => {
    const form = new FormData();
    const document = JSON.stringify({ items: [{ file: 'a.jpg', ...white }] });
    form.append('batch', new Blob([document], { type: 'application/json' }), 'batch.json');
    form.append('a', new Blob([new Uint8Array(await cratePhoto())]), 'a.jpg');
    const posted = await jsonOf(service.call('/v1/jobs', { method: 'POST', body: form }));
    expect((await end(posted.id)).counts).toMatchObject({ done: 1 });
  });

  const item = { file: 'a.jpg', ...white };
  const a = ['a.jpg', Buffer.from('a')] as const;
  it.each<[string, unknown, Files, object]>([
    ['without a document', undefined, [a], { code: 'missing_field' }],
    ['with an invalid document', { items: [{ ...item, id: 'x' }] }, [a], { code: 'invalid_field' }],
    [
      'without a file that an item names',
      { items: [item, { ...item, file: 'b.jpg' }] },
      [a],
      { code: 'missing_file' },
    ],
    [
      'with a file that no item names',
      { items: [item] },
      [a, ['b.jpg', Buffer.from('b')]],
      { code: 'invalid_field' },
    ],
    ['with a file twice', { items: [item] }, [a, a], { code: 'invalid_field' }],
    [
      'with more bytes than a batch may have',
      { items: ['a', 'b', 'c', 'd'].map((name) => ({ file: name, ...white })) },
      ['a', 'b', 'c', 'd'].map((name) => [name, Buffer.alloc(60_000)] as const),
      { status: 413, code: 'body_too_large' },
    ],
  ])('is refused %s', async (_, batch, files, problem) => {
    const refused = await problemOf(await post(batch, files));
    expect(refused).toMatchObject({ status: 400, ...problem });
    if (refused.code === 'missing_file') expect(refused.errors?.[0]?.pointer).toBe('/items/1/file');
  });

  it('is refused if it names files without a form, or if its form is truncated', async () => {
    const asJson = await service.call('/v1/jobs', { json: { items: [item] } });
    expect(await problemOf(asJson)).toMatchObject({ status: 400, code: 'missing_file' });
    const broken = await service.call('/v1/jobs', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="batch"\r\n\r\n{',
    });
    expect((await problemOf(broken)).status).toBe(400);
  });

  it('has limits that /v1/limits publishes', async () => {
    const { batch } = await jsonOf(service.call('/v1/limits'));
    expect(batch).toMatchObject({ maxItems: 1_000, maxFilesBytes: 200_000 });
  });

  it('makes the pictures of a CSV, with the names that it gives', async () => {
    const list =
      'sku,photo,recipe,ratio,name\nA1,front.jpg,,,\nA1,front.jpg,Transp001,4:5,\nB2,side.jpg,,,{sku}-only\n';
    const files: Files = [
      ['front.jpg', await cratePhoto()],
      ['side.jpg', await cratePhoto({ width: 330 })],
    ];
    const posted = await jsonOf(post(list, files));
    const batch = await end(posted.id);
    expect(batch.items.map(({ file }: { file: string }) => file)).toEqual([
      'A1_1.jpeg',
      'A1_2.png',
      'B2-only.jpeg',
    ]);
    const [, ...pictures] = await readZip(
      Buffer.from(await (await service.call(`/v1/jobs/${posted.id}/results.zip`)).arrayBuffer()),
    );
    expect(pictures.map(({ name }) => name)).toEqual(['A1_1.jpeg', 'A1_2.png', 'B2-only.jpeg']);
    const refused = async (csv: string) => (await problemOf(await post(csv, []))).detail;
    expect(await refused('sku,file\nA1,front.jpg')).toContain('the column "file"');
    expect(await refused('sku,photo\nA1,')).toContain('Row 2 of the list has no photo');
    expect(await refused('photo\nfront.jpg')).toContain('The form has no file with this name');
  });
});
