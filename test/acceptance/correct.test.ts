import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cratePhoto,
  formWith,
  isScaled,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
} from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const correct = (id: string, json: object) => service.call(`/v1/design/${id}/correct`, { json });
/** Erases the left half of the crate. The whole crate covers x from 80 to 240 px and y from 60 to 180 px. */
const leftHalf = { boxes: [{ mode: 'erase', x: 0, y: 0, width: 160, height: 240 }] };

async function readCutout(id: string) {
  const response = await service.call(`/v1/design/${id}/cutout.png`);
  expect(response.status).toBe(200);
  const etag = response.headers.get('etag')!;
  const { data } = await pixelsOf(response);
  return { etag, data, alphaAt: (x: number, y: number) => data[(y * 320 + x) * 4 + 3] };
}

describe('POST /v1/design/{id}/correct', () => {
  it('makes a revision, with its own facts, pictures and ETags, that can be undone and restored', async () => {
    const id = await service.upload(await cratePhoto());
    const first = await readCutout(id);
    const before = await jsonOf(service.call(`/v1/design/${id}`));
    expect(before.cutout).toMatchObject({ revision: 1, undo: null, revisions: [{ kind: 'automatic' }] });
    const after = await jsonOf(correct(id, leftHalf));
    expect(after.cutout).toMatchObject({ revision: 2, undo: 1 });
    expect(after.cutout.revisions.map(({ kind }: { kind: string }) => kind)).toEqual([
      'automatic',
      'corrected',
    ]);
    expect(after.subject.boundingBox.x).toBeGreaterThanOrEqual(157);
    expect(after.subject.boundingBox.width).toBeLessThan(90);
    const second = await readCutout(id);
    expect(second.etag).not.toBe(first.etag);
    expect([second.alphaAt(120, 120), second.alphaAt(200, 120)]).toEqual([0, 255]);
    // Far from the marks, no pixel changes, not even by one level.
    for (let y = 0; y < 240; y++)
      for (let p = (y * 320 + 190) * 4; p < (y + 1) * 320 * 4; p++)
        if (second.data[p] !== first.data[p]) expect.fail(`byte ${p} changed`);
    expect((await jsonOf(correct(id, { undo: true }))).cutout).toMatchObject({ revision: 1, undo: null });
    expect((await readCutout(id)).etag).toBe(first.etag);
    expect((await jsonOf(correct(id, { revision: 2 }))).cutout.revision).toBe(2);
    expect((await readCutout(id)).etag).toBe(second.etag);
    const again = await jsonOf(correct(id, { ...leftHalf, base: 1 }));
    expect(again.cutout).toMatchObject({ revision: 3, undo: 1 });
  });

  it('removes one connected part and its soft rim with one click, and changes no byte of the other part', async () => {
    const pixels = Buffer.alloc(320 * 240 * 4);
    for (let i = 0; i < 320 * 240; i++) {
      const [x, y] = [i % 320, Math.floor(i / 320)];
      const isCup = x >= 60 && x < 160 && y >= 50 && y < 190;
      const fromProp = Math.hypot(x - 240, y - 120);
      const alpha = isCup ? 255 : Math.round(255 * Math.min(1, Math.max(0, (40 - fromProp) / 8)));
      pixels.set(isCup ? [180, 60, 50, alpha] : [40, 90, 160, alpha], i * 4);
    }
    const raw = { width: 320, height: 240, channels: 4 } as const;
    const id = await service.upload(await sharp(pixels, { raw }).png().toBuffer());
    const first = await readCutout(id);
    expect([first.alphaAt(240, 120), first.alphaAt(240 - 37, 120)]).toEqual([255, 96]);
    const { subject } = await jsonOf(service.call(`/v1/design/${id}`));
    expect(subject.doubtful).toHaveLength(1);
    const [place] = subject.doubtful;
    expect(place).toMatchObject({ reason: 'separate_part', part: { mode: 'erase' } });
    for (const [x, y] of place.outline) {
      const fromProp = Math.hypot(x - 240, y - 120);
      expect(Math.abs(fromProp - 36)).toBeLessThan(4);
    }
    const after = await jsonOf(correct(id, { parts: [place.part] }));
    expect(after.subject.doubtful).toEqual([]);
    expect(after.subject.boundingBox).toMatchObject({ x: 60, y: 50, width: 100, height: 140 });
    const second = await readCutout(id);
    for (let p = 0; p < second.data.length; p++)
      if (second.data[p] !== ((p / 4) % 320 < 170 ? first.data[p] : 0)) expect.fail(`byte ${p} is wrong`);
  });

  it('restores all of a lost part with one click', async () => {
    const id = await service.upload(await cratePhoto());
    const first = await readCutout(id);
    await jsonOf(correct(id, leftHalf));
    const after = await jsonOf(correct(id, { parts: [{ mode: 'keep', x: 115, y: 95 }] }));
    expect(after.cutout).toMatchObject({ revision: 3, undo: 2 });
    const third = await readCutout(id);
    let differing = 0;
    for (let p = 3; p < third.data.length; p += 4)
      if (Math.abs(third.data[p]! - first.data[p]!) > 64) differing++;
    expect(differing).toBeLessThan(0.01 * 160 * 120);
  });

  it('accepts a mask as a form, as base64 and as a data URI, scales it, and leaves gray and transparent pixels unchanged', async () => {
    const id = await service.upload(await cratePhoto());
    const first = await readCutout(id);
    // Black on the left, transparent in the middle, white at the far right, at half the photo's size.
    const pixels = Buffer.alloc(160 * 120 * 4);
    for (let i = 0; i < 160 * 120; i++) {
      const x = i % 160;
      const value = x < 60 ? 0 : 255;
      pixels.set([value, value, value, x < 60 || x >= 130 ? 255 : 0], i * 4);
    }
    const raw = { width: 160, height: 120, channels: 4 } as const;
    const png = await sharp(pixels, { raw }).png().toBuffer();
    const base64 = png.toString('base64');
    const document = new Blob(['{"base":1}'], { type: 'application/json' });
    const sends: RequestInit[] = [
      { body: formWith(png, 'mask', 'mask.png') },
      { body: JSON.stringify({ mask: base64, base: 1 }) },
      { body: JSON.stringify({ mask: `data:image/png;base64,${base64}`, base: 1 }) },
      { body: formWith(png, 'mask', 'mask.png') },
    ];
    (sends[3]!.body as FormData).append('correction', await document.text());
    for (const send of sends) {
      const after = await jsonOf(service.call(`/v1/design/${id}/correct`, { method: 'POST', ...send }));
      expect(after.cutout.undo).toBe(1);
      const masked = await readCutout(id);
      for (let y = 0; y < 240; y++) {
        expect([masked.alphaAt(110, y), masked.alphaAt(290, y)]).toEqual([0, 255]);
        for (let x = 125; x < 250; x++) expect(masked.alphaAt(x, y)).toBe(first.alphaAt(x, y));
      }
    }
  });

  it('refuses an unusable mask or correction, and names the field', async () => {
    const id = await service.upload(await cratePhoto());
    const gray = { width: 240, height: 320, channels: 3, background: '#ffffff' } as const;
    const upright = await sharp({ create: gray }).png().toBuffer();
    const post = (body: FormData | string) =>
      service.call(`/v1/design/${id}/correct`, { method: 'POST', body });
    const form = (bytes: Buffer, extra: Record<string, string> = {}) => {
      const made = formWith(bytes, 'mask', 'mask.png');
      for (const [name, value] of Object.entries(extra)) made.append(name, value);
      return made;
    };
    const text = new FormData();
    text.append('mask', 'not a file');
    const cases: [FormData | string, string, string | undefined][] = [
      [form(upright), 'invalid_correction', '/mask'],
      [JSON.stringify({ mask: upright.toString('base64') }), 'invalid_correction', '/mask'],
      [form(Buffer.from('no picture at all, but some text')), 'unsupported_image_format', '/mask'],
      [JSON.stringify({ mask: '####' }), 'invalid_field', '/mask'],
      [JSON.stringify({ mask: '' }), 'invalid_field', '/mask'],
      [JSON.stringify({ mask: 7 }), 'invalid_field', '/mask'],
      [JSON.stringify({ mask: upright.toString('base64'), undo: true }), 'invalid_correction', undefined],
      [form(upright.subarray(0, 60)), 'image_undecodable', '/mask'],
      [form(Buffer.alloc(0)), 'missing_file', '/mask'],
      [text, 'missing_file', '/mask'],
      [formWith(upright, 'file'), 'missing_file', '/mask'],
      [form(Buffer.alloc(9 * 1024 * 1024)), 'file_too_large', '/mask'],
      [form(upright, { radius: '3' }), 'unknown_field', '/radius'],
      [form(upright, { correction: '{' }), 'malformed_json', undefined],
      [form(upright, { correction: '{"base":0}' }), 'invalid_field', '/base'],
      [JSON.stringify({ boxes: Array(20_000).fill(leftHalf.boxes[0]) }), 'body_too_large', undefined],
    ];
    for (const [body, code, pointer] of cases) {
      const problem = await problemOf(await post(body));
      expect(problem.code, problem.detail).toBe(code);
      expect(problem.status).toBeLessThan(500);
      if (pointer) expect(problem.errors?.[0]?.pointer).toBe(pointer);
    }
    const black = await sharp({ create: { ...gray, width: 32, height: 24, background: '#000000' } })
      .png()
      .toBuffer();
    expect((await problemOf(await post(form(black)))).code).toBe('no_subject_found');
    expect((await jsonOf(service.call(`/v1/design/${id}`))).cutout.revision).toBe(1);
  });

  it('runs the model again inside a box, and changes nothing outside of it', async () => {
    const id = await service.upload(await cratePhoto());
    const first = await readCutout(id);
    await jsonOf(correct(id, leftHalf));
    const erased = await readCutout(id);
    const hint = { x: 40.5, y: 20, width: 110, height: 200 };
    const after = await jsonOf(correct(id, { hint }));
    expect(after.cutout).toMatchObject({ revision: 3, undo: 2 });
    const again = await readCutout(id);
    expect(again.alphaAt(115, 120)).toBe(255);
    for (let y = 0; y < 240; y++)
      for (let x = 0; x < 320; x++) {
        const isInside = x >= 40 && x < 151 && y >= 20 && y < 220;
        if (!isInside) expect(again.alphaAt(x, y)).toBe(erased.alphaAt(x, y));
        else if (x > 50 && x < 140)
          expect(Math.abs(again.alphaAt(x, y)! - first.alphaAt(x, y)!)).toBeLessThan(96);
      }
  });

  it('refuses a `hint`, which would run the model, for a photo with its own transparency', async () => {
    const create = { width: 100, height: 100, channels: 4, background: '#c04030' } as const;
    const product = await sharp({ create }).png().toBuffer();
    const photo = await sharp({ create: { ...create, width: 300, height: 200, background: '#00000000' } })
      .composite([
        { input: product, left: 20, top: 20 },
        { input: product, left: 180, top: 90 },
      ])
      .png()
      .toBuffer();
    const id = await service.upload(photo);
    const hint = { x: 0, y: 0, width: 200, height: 200 };
    expect((await problemOf(await correct(id, { hint }))).errors?.[0]?.pointer).toBe('/hint');
  });

  it('makes no revision for a correction that changes nothing', async () => {
    const id = await service.upload(await cratePhoto());
    const inside = {
      strokes: [
        {
          mode: 'keep',
          radius: 4,
          points: [
            [150, 110],
            [170, 130],
          ],
        },
      ],
    };
    expect((await jsonOf(correct(id, inside))).cutout.revision).toBe(1);
  });

  it('keeps the first revision and the latest nine', async () => {
    const id = await service.upload(await cratePhoto());
    let cutout: { revision: number; undo: number; revisions: { revision: number }[] };
    for (let n = 0; n < 11; n++) {
      const box = { mode: 'erase', x: 0, y: 0, width: 90 + 6 * n, height: 240 };
      ({ cutout } = await jsonOf(correct(id, { boxes: [box] })));
    }
    expect(cutout!.revisions.map(({ revision }) => revision)).toEqual([1, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(cutout!.undo).toBe(11);
  });

  it('accepts at least one of several concurrent calls, and tells the refused ones that the cutout was replaced', async () => {
    const id = await service.upload(await cratePhoto());
    await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    const calls = [100, 120, 140, 160].map((width) =>
      correct(id, { boxes: [{ mode: 'erase', x: 0, y: 0, width, height: 240 }] }),
    );
    const answers = await Promise.all(calls);
    const done = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(done).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect((await problemOf(answer)).code).toBe('revision_conflict');
    expect((await jsonOf(service.call(`/v1/design/${id}`))).cutout.revisions).toHaveLength(1 + done);
  });

  it('refuses unsupported corrections, and says which ones are supported', async () => {
    const id = await service.upload(await cratePhoto());
    const box = { mode: 'erase', x: 400, y: 0, width: 10, height: 10 };
    const dot = { mode: 'erase', radius: 5, points: [[160, 120]] };
    const cases: [object, string, string | undefined][] = [
      [{}, 'invalid_correction', undefined],
      [{ undo: true }, 'invalid_correction', '/undo'],
      [{ revision: 7 }, 'invalid_correction', '/revision'],
      [{ ...leftHalf, base: 7 }, 'invalid_correction', '/base'],
      [{ ...leftHalf, undo: true }, 'invalid_correction', undefined],
      [{ boxes: [box] }, 'invalid_correction', '/boxes/0'],
      [{ parts: [{ mode: 'erase', x: 9, y: 240.5 }] }, 'invalid_correction', '/parts/0'],
      [{ parts: [{ mode: 'erase', x: 160, y: 120 }] }, 'no_subject_found', undefined],
      [{ strokes: [{ ...dot, hardness: 1.5 }] }, 'invalid_field', '/strokes/0/hardness'],
      [{ boxes: [{ ...box, x: 0, width: 320, height: 240 }] }, 'no_subject_found', undefined],
      [{ hint: { x: 310, y: 0, width: 90, height: 90 } }, 'invalid_correction', '/hint'],
      [{ hint: { x: 0, y: 0, width: -9, height: 90 } }, 'invalid_field', '/hint/width'],
      [{ boxes: [{ ...box, mode: 'paint' }] }, 'invalid_field', '/boxes/0/mode'],
      [{ strokes: [{ mode: 'keep', radius: 2, points: [] }] }, 'invalid_field', '/strokes/0/points'],
    ];
    for (const [body, code, pointer] of cases) {
      const problem = await problemOf(await correct(id, body));
      expect(problem.code, JSON.stringify(body)).toBe(code);
      if (pointer) expect(problem.errors?.[0]?.pointer).toBe(pointer);
      if (code === 'no_subject_found') expect(problem.detail).toContain('was not changed');
    }
    expect((await jsonOf(service.call(`/v1/design/${id}`))).cutout.revision).toBe(1);
    await jsonOf(correct(id, { strokes: [{ ...dot, hardness: 1 }] }));
    const dotted = await readCutout(id);
    expect([dotted.alphaAt(160, 120), dotted.alphaAt(160, 127)]).toEqual([0, 255]);
    const unknown = await correct('dsg_0000000000000000000000', leftHalf);
    expect(await problemOf(unknown)).toMatchObject({ status: 404, code: 'design_not_found' });
  });

  it('recomputes a lost corrected cutout from its matte, and a lost matte from the cutout', async () => {
    if (!service.dataDir || isScaled) return;
    const id = await service.upload(await cratePhoto());
    await jsonOf(correct(id, leftHalf));
    const before = await readCutout(id);
    const folder = join(service.dataDir, 'blobs', 'designs', id);
    for (const kind of ['cutout-', 'matte-']) {
      const name = (await readdir(folder)).find((file) => file.startsWith(kind))!;
      await rm(join(folder, name));
      const matte = await pixelsOf(await service.call(`/v1/design/${id}/matte.png`));
      expect(matte.data[120 * 320 * matte.channels]).toBe(0);
      const mended = await readCutout(id);
      expect([mended.alphaAt(120, 120), mended.alphaAt(200, 120)]).toEqual([0, 255]);
      expect(mended.etag).toBe(before.etag);
    }
  });
});
