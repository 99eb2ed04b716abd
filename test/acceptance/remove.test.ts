import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, packshot, startPackshot } from './command.ts';
import { holdRemover } from './held-remover.ts';
import { cratePhoto, emptyPhoto, type Service, startService } from './service.ts';

let folder: string;
const at = (...parts: string[]) => join(folder, ...parts);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-remove-'));
  await mkdir(at('few'));
  await writeFile(at('few', 'one.jpg'), await cratePhoto());
  await writeFile(at('few', 'two.PNG'), await cratePhoto({ format: 'png', width: 400 }));
  await writeFile(at('few', 'notes.txt'), 'not a photo');
  await writeFile(at('few', '._one.jpg'), 'what macOS leaves');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a user sees in a folder. */
const visible = async (path: string) => (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
const sizeOf = async (path: string | Buffer) => {
  const { format, width, height, channels } = await sharp(path).metadata();
  return { format, width, height, channels };
};

describe('packshot remove', () => {
  it("writes transparent PNGs of the photos' own size, named like them", async () => {
    const { code } = await packshot(['remove', at('few'), '-o', at('cutouts')]);
    expect(code).toBe(0);
    expect(await visible(at('cutouts'))).toEqual(['one.png', 'two.png']);
    expect(await sizeOf(at('cutouts', 'two.png'))).toEqual({
      format: 'png',
      width: 400,
      height: 240,
      channels: 4,
    });
  });

  it('puts photos on a recipe, in the requested ratio and format', async () => {
    const words = ['remove', at('few', 'one.jpg'), '-o', at('white'), '--recipe'];
    expect(await packshot([...words, 'Solid4_5_0035'])).toMatchObject({ code: 0 });
    expect(await sizeOf(at('white', 'one.jpg'))).toMatchObject({
      format: 'jpeg',
      width: 1600,
      height: 2000,
    });
    await packshot([...words, 'Transp001', '--ratio', '16:9', '--format', 'webp']);
    expect(await sizeOf(at('white', 'one.webp'))).toMatchObject({ width: 2000, height: 1125, channels: 4 });
  });

  it('puts photos into the look of a file, and skips them in a second run', async () => {
    const from = { recipeId: 'Surface002', variant: '1:1', mutations: { layout: { margin: 0.2 } } };
    await writeFile(at('sand.look.json'), JSON.stringify({ from, title: 'On sand' }));
    const words = ['remove', at('few'), '-o', at('sand'), '--look', at('sand.look.json')];
    expect(await packshot(words)).toMatchObject({ code: 0 });
    expect(await visible(at('sand'))).toEqual(['one.jpg', 'two.jpg']);
    expect(await sizeOf(at('sand', 'two.jpg'))).toMatchObject({ width: 2000, height: 2000 });
    const again = linesOf(await packshot([...words, '--json']));
    expect(again.map(({ state }) => state)).toEqual(['skipped', 'skipped']);
    const refused = await packshot(['remove', at('few'), '--look', at('few', 'notes.txt')]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a look') });
  });

  it('resumes after a kill: no half-written file, no repeated work, and a broken file blocks no other', async () => {
    await mkdir(at('many'));
    const photo = await cratePhoto({ width: 640, height: 480 });
    for (let number = 1; number <= 30; number++) await writeFile(at('many', `${number}.jpg`), photo);
    await writeFile(at('many', '15-broken.jpg'), photo.subarray(0, photo.length / 2));
    const words = ['remove', at('many'), '-o', at('killed')];
    // Ten photos are cut out, and no more until it has been killed.
    const remover = await holdRemover();
    const env = remover.environment;
    remover.release(10);

    const first = startPackshot(words, { env });
    await first.said(/(?:done {5}[\s\S]*?){10}/);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const finished = await visible(at('killed'));
    expect(finished).toHaveLength(10);
    remover.release();
    for (const name of finished) await sharp(at('killed', name)).stats();
    const madeAt = new Map<string, number>();
    for (const name of finished) madeAt.set(name, (await stat(at('killed', name))).mtimeMs);

    const second = await packshot([...words, '--json'], { env });
    remover.close();
    expect(second.code).toBe(1);
    const lines = linesOf(second);
    const skipped = lines.filter(({ state }) => state === 'skipped').map(({ output }) => output);
    expect(skipped.sort()).toEqual(finished.map((name) => at('killed', name)).sort());
    expect(lines.filter(({ state }) => state === 'done')).toHaveLength(30 - finished.length);
    expect(lines.filter(({ state }) => state === 'failed')).toEqual([
      {
        file: at('many', '15-broken.jpg'),
        state: 'failed',
        error: expect.objectContaining({ code: 'image_undecodable' }),
      },
    ]);
    expect(await visible(at('killed'))).toHaveLength(30);
    expect((await readdir(at('killed'))).filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const [name, mtimeMs] of madeAt) expect((await stat(at('killed', name))).mtimeMs).toBe(mtimeMs);
    expect(second.stderr).toMatch(/30 of 31 photos done.*\n1 photo failed:\n {2}\S+15-broken\.jpg: /);
  });

  it('makes a picture again only if its photo or the recipe has changed', async () => {
    await mkdir(at('changing'));
    await copyFile(at('few', 'one.jpg'), at('changing', 'a.jpg'));
    await copyFile(at('few', 'one.jpg'), at('changing', 'b.jpg'));
    const states = async (...more: string[]) =>
      linesOf(await packshot(['remove', at('changing'), '-o', at('changed'), '--json', ...more])).map(
        ({ state }) => state,
      );
    expect(await states()).toEqual(['done', 'done']);
    expect(await states()).toEqual(['skipped', 'skipped']);
    // A photo with an older date is another photo all the same.
    await utimes(at('changing', 'b.jpg'), 1e9, 1e9);
    expect(await states()).toEqual(['skipped', 'done']);
    await rm(at('changed', 'a.png'));
    expect(await states()).toEqual(['skipped', 'done']);
    expect(await states('--recipe', 'Solid1_1_0035', '--format', 'png')).toEqual(['done', 'done']);
    expect(await states('--overwrite')).toEqual(['done', 'done']);
  });

  it('finishes what runs at Ctrl-C, and ends with 130', async () => {
    await mkdir(at('long'));
    for (let number = 1; number <= 12; number++)
      await copyFile(at('few', 'one.jpg'), at('long', `${number}.jpg`));
    const remover = await holdRemover();
    remover.release(1);
    const run = startPackshot(['remove', at('long'), '-o', at('stopped'), '--concurrency', '1'], {
      env: remover.environment,
    });
    await run.said(/done {5}/);
    await remover.asked(2);
    process.kill(run.pid, 'SIGINT');
    await run.said(/Finishing the photos in progress/);
    remover.release();
    const { code, stderr } = await run.ended;
    remover.close();
    expect(code).toBe(130);
    expect(stderr).toMatch(/\d+ photos? left; run the same command to continue/);
    const made = await visible(at('stopped'));
    expect(made.length).toBeLessThan(12);
    expect(made.length).toBeGreaterThanOrEqual(2);
    for (const name of made) await sharp(at('stopped', name)).stats();
    expect((await readdir(at('stopped'))).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('reads a photo from a pipe and writes only the picture to another', async () => {
    const { code, stdout } = await packshot(['remove', '-', '-o', '-'], { input: await cratePhoto() });
    expect(code).toBe(0);
    expect(await sizeOf(stdout)).toEqual({ format: 'png', width: 320, height: 240, channels: 4 });
  });

  it('writes a single picture to a file whose extension gives the format', async () => {
    await packshot(['remove', at('few', 'one.jpg'), '-o', at('single', 'mug.webp')]);
    expect(await sizeOf(at('single', 'mug.webp'))).toMatchObject({ format: 'webp', width: 320 });
    expect(await readdir(at('single'))).toEqual(['mug.webp']);
  });

  it('accepts the output as the last argument, like rembg, and continues there in a second run', async () => {
    expect(await packshot(['remove', at('few', 'one.jpg'), at('last', 'mug.png')])).toMatchObject({
      code: 0,
    });
    expect(await readdir(at('last'))).toEqual(['mug.png']);
    for (const told of [/2 of 2 photos done/, /2 of them from an earlier run/]) {
      expect(await packshot(['remove', `${at('few')}/`, `${at('last-folder')}/`])).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(told),
      });
    }
    expect(await visible(at('last-folder'))).toEqual(['one.png', 'two.png']);
  });

  it('fills a picture for a marketplace: any color, margin, shadow and a file ending in .jpg', async () => {
    const words = ['remove', at('few', 'one.jpg'), '-o', at('shop'), '--background', '#204060'];
    expect((await packshot([...words, '--margin', '0', '--shadow', 'contact'])).code).toBe(0);
    expect(await visible(at('shop'))).toEqual(['one.jpg']);
    const { data, info } = await sharp(at('shop', 'one.jpg')).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 2000, height: 2000 });
    expect([...data.subarray(0, 3)].map((value, i) => Math.abs(value - [0x20, 0x40, 0x60][i]!) <= 2)).toEqual(
      [true, true, true],
    );
    // Without a margin the product touches two opposite sides, which the default margin keeps free.
    const [middle] = [data.subarray((1000 * 2000 + 4) * 3, (1000 * 2000 + 4) * 3 + 3)];
    expect([...middle!]).not.toEqual([...data.subarray(0, 3)]);
    expect((await packshot([...words, '--format', 'jpeg'])).code).toBe(0);
    expect(await visible(at('shop'))).toEqual(['one.jpeg', 'one.jpg']);
  });

  it('writes masks beside cutouts: gray, of the photo’s size, white where the cutout is opaque', async () => {
    const words = ['remove', at('few', 'one.jpg'), '-o', at('masks')];
    for (const more of [[], ['--mask']]) expect((await packshot([...words, ...more])).code).toBe(0);
    expect(await visible(at('masks'))).toEqual(['one-mask.png', 'one.png']);
    expect(await sizeOf(at('masks', 'one-mask.png'))).toMatchObject({ width: 320, height: 240, channels: 1 });
    const alpha = await sharp(at('masks', 'one.png')).extractChannel('alpha').raw().toBuffer();
    const mask = await sharp(at('masks', 'one-mask.png')).extractChannel(0).raw().toBuffer();
    expect(mask.equals(alpha)).toBe(true);
  });

  it('accepts the engine and its quality as options, over the environment', async () => {
    const run = await packshot(
      [
        'remove',
        at('few', 'one.jpg'),
        '-o',
        at('chosen'),
        '--engine',
        'keyer',
        '--removal-quality',
        'quality',
      ],
      { env: { REMOVAL_ENGINE: 'http', REMOVAL_URL: 'http://127.0.0.1:9', REMOVAL_RETRIES: '0' } },
    );
    expect(run).toMatchObject({ code: 0 });
    expect(await readFile(at('chosen', '.packshot.jsonl'), 'utf8')).toContain('keyer\\",\\"quality');
  });

  it('watches a folder: makes each photo once it has settled, mends a failure, and goes on after a restart', async () => {
    await mkdir(at('hot'));
    const whole = await readFile(at('few', 'one.jpg'));
    await writeFile(at('hot', 'first.jpg'), whole);
    const words = ['remove', at('hot'), '-o', at('cooled'), '--watch'];
    const watch = startPackshot(words);
    await watch.said(/done {5}\S+first\.jpg/);
    await writeFile(at('hot', 'later.jpg'), whole.subarray(0, whole.length / 2));
    await writeFile(at('hot', 'copying.jpg.part'), whole);
    await watch.said(/FAILED {3}\S+later\.jpg/);
    await writeFile(at('hot', 'later.jpg'), whole);
    await watch.said(/done {5}\S+later\.jpg/);
    process.kill(watch.pid, 'SIGINT');
    const { code, stderr } = await watch.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/2 photos done, in .*cooled/);
    expect(await visible(at('cooled'))).toEqual(['first.png', 'later.png']);

    const again = startPackshot(words);
    await again.said(/Watching/);
    await writeFile(at('hot', 'third.jpg'), whole);
    await again.said(/done {5}\S+third\.jpg/);
    process.kill(again.pid, 'SIGTERM');
    expect((await again.ended).stderr).toMatch(/1 photo done/);
  });

  it('refuses to watch anything but one folder with another output folder', async () => {
    const misfits = [
      [at('few', 'one.jpg'), '-o', at('out')],
      [at('few'), at('many'), '-o', at('out')],
      [at('few'), '-o', at('few')],
      [at('few'), '-o', '-'],
    ];
    for (const words of misfits) expect((await packshot(['remove', ...words, '--watch'])).code).toBe(2);
  });

  it('checks each picture for marketplaces, those of an earlier run too', async () => {
    const words = ['remove', at('few', 'one.jpg'), '-o', at('checked'), '--recipe', 'Listing_amazon_main'];
    expect(await packshot([...words, '--check', 'amazon,google'])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /passes {3}\S+one\.jpg: Amazon[^\n]*\n[\s\S]*passes {3}\S+one\.jpg: Google/,
      ),
    });
    const white = [...words.slice(0, -1), 'Solid1_1_0035', '--check', 'amazon', '--json'];
    for (const state of ['done', 'skipped']) {
      const run = await packshot(white);
      expect(run).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('did not pass the listing check'),
      });
      expect(linesOf(run)).toEqual([
        expect.objectContaining({
          state,
          checks: [expect.objectContaining({ verdict: 'fails', failed: expect.arrayContaining(['fill']) })],
        }),
      ]);
    }
    expect(await packshot([...words, '--check', 'zalando'])).toMatchObject({ code: 2 });
  });

  it('descends into nested folders, and keeps photos of one name apart', async () => {
    await mkdir(at('deep', 'red'), { recursive: true });
    for (const name of ['mug.jpg', 'mug.jpeg', 'red/mug.jpg'])
      await copyFile(at('few', 'one.jpg'), at('deep', name));
    expect((await packshot(['remove', at('deep'), '-o', at('deep', 'out')])).code).toBe(0);
    expect(await visible(at('deep', 'out'))).toEqual(['mug.jpeg.png', 'mug.jpg.png']);
    const all = ['remove', at('deep'), '-o', at('deep', 'out'), '--recursive'];
    expect((await packshot(all)).stderr).toMatch(/3 of 3 photos done.*2 of them from an earlier run/);
    expect(await visible(at('deep', 'out', 'red'))).toEqual(['mug.png']);
  });

  it('never overwrites a file that it did not make', async () => {
    await mkdir(at('taken'));
    await writeFile(at('taken', 'one.png'), 'precious');
    const words = ['remove', at('few', 'one.jpg'), '-o', at('taken')];
    expect(await packshot(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('--overwrite') });
    expect(await readFile(at('taken', 'one.png'), 'utf8')).toBe('precious');
    expect((await packshot([...words, '--overwrite'])).code).toBe(0);
  });

  it('exits with code 2 on invalid input before touching a photo', async () => {
    const photo = at('few', 'one.jpg');
    const misfits: [string[], RegExp][] = [
      [['remove'], /argument/],
      [['remove', at('gone.jpg')], /gone\.jpg/],
      [['remove', photo, '--recipe', 'Nope'], /no recipe Nope/],
      [['remove', at('few'), '-o', at('x.png')], /must be a folder, such as -o out/],
      [['remove', at('few'), '-o', at('few')], /same folder/],
      [['remove', at('few', 'two.PNG'), '-o', at('few', 'two.PNG')], /replace/],
      [['remove', photo, '-o', at('x.tif')], /png, webp, jpg or avif/],
      [['remove', photo, at('few', 'two.PNG')], /could be a second photo or the output[\s\S]* -o /],
      [['remove', photo, '--mask', '--recipe', 'Transp001'], /--mask.*--recipe/],
      [['remove', photo, '--background', 'teal'], /#RRGGBB/],
      [
        ['remove', photo, '--removal-quality', 'fast', '--server', 'http://127.0.0.1:9'],
        /cannot be combined with --server/,
      ],
      [['remove', photo, '--server', 'http://127.0.0.1:9'], /PACKSHOT_API_KEY/],
    ];
    const ends = await Promise.all(misfits.map(([words]) => packshot(words)));
    ends.forEach((ended, index) => {
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(misfits[index]![1]) });
    });
    expect(await visible(at('few'))).toEqual(['notes.txt', 'one.jpg', 'two.PNG']);
  });

  it('fetches no photo from a non-public address', async () => {
    const { code, stderr } = await packshot([
      'remove',
      'http://169.254.169.254/mug.jpg',
      '-o',
      at('fetched'),
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('Only public http and https URLs');
  });
});

describe('packshot remove --server', () => {
  let service: Service;
  beforeAll(async () => {
    // A limit so low that a folder has to wait.
    service = await startService({ RATE_PER_SECOND: '8', RATE_BURST: '8', MAX_IN_FLIGHT: '2' });
    await mkdir(at('served'));
    for (const name of ['a', 'b', 'c', 'd'])
      await copyFile(at('few', 'one.jpg'), at('served', `${name}.jpg`));
    await writeFile(at('served', 'empty.jpg'), await emptyPhoto());
  });
  afterAll(() => service.stop());
  const there = () => ['--server', service.url, '--key', service.key];

  it('has a service do the work, respects Retry-After, and leaves nothing there', async () => {
    const run = await packshot(['remove', at('served'), '-o', at('from-service'), '--json', ...there()]);
    expect(run.code).toBe(1);
    expect(linesOf(run).map(({ file, state, error }) => [file.at(-5), state, error?.code])).toEqual(
      expect.arrayContaining([
        ['a', 'done', undefined],
        ['b', 'done', undefined],
        ['c', 'done', undefined],
        ['d', 'done', undefined],
        ['y', 'failed', 'no_subject_found'],
      ]),
    );
    expect(await sizeOf(at('from-service', 'a.png'))).toMatchObject({ format: 'png', width: 320 });
    expect(await readdir(join(service.dataDir, 'blobs', 'designs'))).toEqual([]);
  });

  it('makes the same picture as without one', async () => {
    const placed = ['--recipe', 'Solid1_1_0042', '--margin', '0.2', '--shrink', '1'];
    for (const options of [placed, ['--mask']]) {
      const words = ['remove', at('few', 'one.jpg'), ...options, '-o'];
      await packshot([...words, at('there.png'), ...there()]);
      await packshot([...words, at('here.png')]);
      expect((await readFile(at('there.png'))).equals(await readFile(at('here.png')))).toBe(true);
    }
  });

  it("puts photos into a look of the service, by its id, and into a file's, which leaves no look there", async () => {
    const from = { recipeId: 'Surface002', variant: '4:5', mutations: { layout: { margin: 0.2 } } };
    const file = at('kept.look.json');
    await writeFile(file, JSON.stringify({ from, title: 'Kept' }));
    const kept = await service.call('/v1/looks', { json: { from, title: 'Kept' } });
    const { id } = (await kept.json()) as { id: string };
    const words = ['remove', at('few', 'one.jpg'), '--look'];
    expect(await packshot([...words, id, '-o', at('by-id.png'), ...there()])).toMatchObject({ code: 0 });
    expect(await packshot([...words, file, '-o', at('by-file.png'), ...there()])).toMatchObject({ code: 0 });
    const byId = await readFile(at('by-id.png'));
    expect(await sizeOf(byId)).toMatchObject({ width: 1600, height: 2000 });
    expect(byId.equals(await readFile(at('by-file.png')))).toBe(true);
    const { looks } = (await (await service.call('/v1/looks')).json()) as { looks: { id: string }[] };
    expect(looks.map((look) => look.id)).toEqual([id]);
    const unknown = await packshot([...words, 'Look_nobody', '-o', at('by-nobody.png'), ...there()]);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/look/i) });
    const elsewhere = await packshot([...words, id, '-o', at('by-nobody.png')]);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--server') });
  });

  it('watches a folder, and has the service make each photo that arrives', async () => {
    await mkdir(at('hot-there'));
    const whole = await readFile(at('few', 'one.jpg'));
    const watch = startPackshot(['remove', at('hot-there'), '-o', at('cooled-there'), '--watch', ...there()]);
    await watch.said(/Watching/);
    await writeFile(at('hot-there', 'empty.jpg'), await emptyPhoto());
    await watch.said(/FAILED {3}\S+empty\.jpg/);
    await writeFile(at('hot-there', 'first.jpg'), whole);
    await watch.said(/done {5}\S+first\.jpg/);
    process.kill(watch.pid, 'SIGINT');
    expect((await watch.ended).stderr).toMatch(/1 photo done/);
    expect(await visible(at('cooled-there'))).toEqual(['first.png']);
    expect(await readdir(join(service.dataDir, 'blobs', 'designs'))).toEqual([]);
  });

  it('reports a wrong key or an unreachable service before sending a photo', async () => {
    const words = ['remove', at('served'), '-o', at('nothing'), '--key', 'psk_live_nobody', '--server'];
    expect(await packshot([...words, service.url])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .*key/),
    });
    expect(await packshot([...words, 'http://127.0.0.1:9'])).toMatchObject({
      code: 1,
      stderr: 'error: The service cannot be reached.\n',
    });
  });
});
