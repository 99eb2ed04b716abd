/** `packshot batch`, as a user runs it. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../src/batches/testing/read-zip.ts';
import { linesOf, packshot, packshotProcess, startPackshot } from './command.ts';
import { cratePhoto, emptyPhoto, jsonOf, type Service, startService } from './service.ts';

let folder: string;
let service: Service;
const at = (...names: string[]) => join(folder, ...names);
const there = () => ['--recipe', 'Solid1_1_0042', '--server', service.url, '--key', service.key];
const visible = async (path: string) => (await readdir(path)).filter((name) => !name.startsWith('.')).sort();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-batch-'));
  service = await startService({ MAX_BATCH_BYTES: '20000', MAX_FILE_BYTES: '15000' });
  await mkdir(at('photos', 'red'), { recursive: true });
  const photo = await cratePhoto();
  for (const name of ['a.jpg', 'b.jpg', 'red/a.jpg']) await writeFile(at('photos', name), photo);
  await writeFile(at('photos', 'nothing.jpg'), await emptyPhoto());
  await writeFile(at('photos', 'large.jpg'), Buffer.alloc(15_001));
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('packshot batch', () => {
  it('sends a folder to a service, reports each result, and continues in a second run', async () => {
    const words = ['batch', at('photos'), '-r', '-o', at('out'), '--margin', '0.2', ...there()];
    const run = await packshotProcess([...words, '--json']);
    expect(run.code, run.stderr).toBe(1);
    const outcomes = linesOf(run).map(({ file, state, error }) => [
      file.slice(at('photos').length + 1),
      error?.code ?? state,
    ]);
    expect(outcomes.sort()).toEqual([
      ['a.jpg', 'done'],
      ['b.jpg', 'done'],
      ['large.jpg', 'file_too_large'],
      ['nothing.jpg', 'no_subject_found'],
      ['red/a.jpg', 'done'],
    ]);
    expect(run.stderr).toContain('3 of 5 photos done');
    expect(await visible(at('out'))).toEqual(['a.jpg', 'b.jpg', 'red']);
    expect(await readdir(at('out'))).not.toContain('.packshot-batches.json');
    const made = await readFile(at('out', 'red', 'a.jpg'));
    expect(await sharp(made).metadata()).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
    const alone = ['remove', at('photos', 'a.jpg'), '-o', at('alone.jpg'), '--margin', '0.2', ...there()];
    expect((await packshot(alone)).code).toBe(0);
    expect(made.equals(await readFile(at('alone.jpg')))).toBe(true);

    await rm(at('out', 'b.jpg'));
    expect((await packshot(words)).stderr).toMatch(/3 of 5 photos done.*2 of them from an earlier run/);
    expect(await visible(at('out'))).toEqual(['a.jpg', 'b.jpg', 'red']);
  });

  it('splits photos into batches that the service accepts, and keeps the results as numbered ZIP files', async () => {
    const words = ['batch', at('photos', 'a.jpg'), at('photos', 'b.jpg'), '-o', at('results.zip')];
    const small = await startService({ MAX_BATCH_BYTES: '2000' });
    try {
      const run = await packshot([
        ...words,
        ...there().slice(0, 2),
        '--server',
        small.url,
        '--key',
        small.key,
      ]);
      expect(run.code, run.stderr).toBe(0);
      const names = await Promise.all(
        ['results.zip', 'results-2.zip'].map(async (name) =>
          (await readZip(await readFile(at(name)))).map((entry) => entry.name),
        ),
      );
      expect(names).toEqual([
        ['manifest.json', 'a.jpeg'],
        ['manifest.json', 'b.jpeg'],
      ]);
      expect((await readdir(folder)).filter((name) => name.includes('batches'))).toEqual([]);
    } finally {
      await small.stop();
    }
  });

  it('collects results that were made after it was interrupted, and sends no photo twice', async () => {
    await mkdir(at('many'));
    for (let i = 0; i < 4; i++) await copyFile(at('photos', 'a.jpg'), at('many', `${i}.jpg`));
    const words = ['batch', at('many'), '-o', at('resumed'), '--format', 'webp', ...there()];
    const first = startPackshot(words);
    await first.said(/Sending 4 photos/);
    const journal = at('resumed', '.packshot-batches.json');
    let posted: string | undefined;
    while (posted === undefined) {
      posted = await readFile(journal, 'utf8').then(
        (text) => JSON.parse(text).batches[0]?.id,
        () => undefined,
      );
    }
    process.kill(first.pid, 'SIGINT');
    const { code } = await first.ended;
    // On a fast machine, the command may already have finished.
    expect([0, 130]).toContain(code);
    const again = await packshot(words);
    expect(again.code, again.stderr).toBe(0);
    expect(await visible(at('resumed'))).toEqual(['0.webp', '1.webp', '2.webp', '3.webp']);
    const usage = await jsonOf(service.call(`/v1/jobs/${posted}`));
    expect(usage.code).toBe('batch_not_found');
    if (code === 130) expect(again.stderr).not.toContain('Sending');
  });

  it('exits with code 2 on invalid input before sending anything', async () => {
    const photo = at('photos', 'a.jpg');
    const misfits: [string[], RegExp][] = [
      [['batch', photo, '--recipe', 'Transp001'], /specify it with --server/],
      [['batch', photo, ...there().slice(2)], /needs a recipe/],
      [['batch', '-', ...there()], /pipe a single photo into `packshot remove -`/],
      [['batch', at('gone'), ...there()], /no file or folder/],
    ];
    const ends = await Promise.all(misfits.map(([words]) => packshot(words)));
    ends.forEach((ended, index) => {
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(misfits[index]![1]) });
    });
  });

  it('makes the pictures of a CSV, one photo in several of them, and continues in a second run', async () => {
    const list = at('photos', 'products.csv');
    const { id: look } = await jsonOf(
      service.call('/v1/looks', {
        json: { title: 'Green', from: { recipeId: 'Solid1_1_0042', variant: '1:1' } },
      }),
    );
    await writeFile(
      list,
      `SKU;photo;recipe;look;ratio;name\r\nA1;a.jpg;;;;\r\nA1;a.jpg;Transp001;;4:5;\r\nB2;red/a.jpg;;${look};;../{sku}-look\r\n`,
    );
    const words = ['batch', list, '-o', at('listed'), ...there().slice(2)];
    const run = await packshot(words);
    expect(run.code, run.stderr).toBe(0);
    expect(await visible(at('listed'))).toEqual(['A1_1.jpg', 'A1_2.png', '_B2-look.jpg']);
    const sizeOf = async (name: string) => {
      const { width, height } = await sharp(at('listed', name)).metadata();
      return [width, height];
    };
    expect(await sizeOf('A1_2.png')).toEqual([1600, 2000]);
    const green = await sharp(at('listed', '_B2-look.jpg')).raw().toBuffer();
    expect(green.subarray(0, 3)).not.toEqual(Buffer.from([255, 255, 255]));

    await rm(at('listed', 'A1_2.png'));
    expect((await packshot(words)).stderr).toMatch(/3 of 3 photos done.*2 of them from an earlier run/);

    const zip = await packshot(['batch', list, '-o', at('listed.zip'), ...there().slice(2)]);
    expect(zip.code, zip.stderr).toBe(0);
    const [, ...pictures] = await readZip(await readFile(at('listed.zip')));
    expect(pictures.map(({ name }) => name)).toEqual(['A1_1.jpeg', 'A1_2.png', '_B2-look.jpeg']);
  });

  it('prints signed URLs instead of making files', async () => {
    const list = at('photos', 'urls.csv');
    await writeFile(list, 'sku,photo,recipe\nA1,a.jpg,\nA1,a.jpg,Transp001\n');
    const run = await packshot(['batch', list, '--url', ...there()]);
    expect(run.code, run.stderr).toBe(0);
    const [head, ...rows] = run.stdout.toString().trim().split(/\r?\n/);
    expect(head).toBe('name,url');
    const urls = Object.fromEntries(rows.map((row) => row.split(',')));
    expect(Object.keys(urls).sort()).toEqual(['A1_1', 'A1_2']);
    expect(urls.A1_1).toMatch(/\.jpg$/);
    const shown = await fetch(urls.A1_2);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    // One upload for both.
    expect(new Set(Object.values<string>(urls).map((url) => url.split('/')[5])).size).toBe(1);
  });

  it.each([
    ['photo\nnot-there.jpg', 'row 2: there is no file not-there.jpg'],
    ['photo,recipe\na.jpg,Solid9', 'row 2: There is no recipe Solid9'],
    ['sku\nA1', 'no column "photo"'],
  ])('refuses the list %j before anything is sent', async (text, reason) => {
    const list = at('photos', 'bad.csv');
    await writeFile(list, text);
    const run = await packshot(['batch', list, '-o', at('bad'), ...there()]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
