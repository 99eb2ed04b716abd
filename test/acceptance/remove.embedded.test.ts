/** `packshot remove`: the pictures that it writes, and the input that it refuses. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { linesOf, packshot, packshotProcess } from './command.ts';
import { sizeOf, usePhotoFolder, visible } from './photo-folder.ts';
import { cratePhoto } from './service.ts';

const at = usePhotoFolder();

describe('packshot remove', () => {
  it("writes transparent PNGs of the photos' own size, named like the photos", async () => {
    const { code } = await packshotProcess(['remove', at('few'), '-o', at('cutouts')]);
    expect(code).toBe(0);
    expect(await visible(at('cutouts'))).toEqual(['one.png', 'two.png']);
    expect(await sizeOf(at('cutouts', 'two.png'))).toEqual({
      format: 'png',
      width: 400,
      height: 240,
      channels: 4,
    });
  });

  it('renders photos with a recipe, in the requested ratio and format', async () => {
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

  it('renders photos in the look of a look file, and skips finished photos in a second run', async () => {
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

  it('reads a photo from a pipe, and writes only the picture to another pipe', async () => {
    const { code, stdout } = await packshotProcess(['remove', '-', '-o', '-'], { input: await cratePhoto() });
    expect(code).toBe(0);
    expect(await sizeOf(stdout)).toEqual({ format: 'png', width: 320, height: 240, channels: 4 });
  });

  it('writes a single picture to a file whose extension gives the format', async () => {
    await packshot(['remove', at('few', 'one.jpg'), '-o', at('single', 'mug.webp')]);
    expect(await sizeOf(at('single', 'mug.webp'))).toMatchObject({ format: 'webp', width: 320 });
    expect(await readdir(at('single'))).toEqual(['mug.webp']);
  });

  it('accepts the output as the last argument, like rembg, and continues in that folder in a second run', async () => {
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

  it('makes a marketplace picture with the requested background color, margin and shadow, in a .jpg file', async () => {
    const words = ['remove', at('few', 'one.jpg'), '-o', at('shop'), '--background', '#204060'];
    expect((await packshot([...words, '--margin', '0', '--shadow', 'contact'])).code).toBe(0);
    expect(await visible(at('shop'))).toEqual(['one.jpg']);
    const { data, info } = await sharp(at('shop', 'one.jpg')).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 2000, height: 2000 });
    expect([...data.subarray(0, 3)].map((value, i) => Math.abs(value - [0x20, 0x40, 0x60][i]!) <= 2)).toEqual(
      [true, true, true],
    );
    // With `--margin 0`, the product fills the width, so a pixel close to the left edge shows it. With the default
    // margin, that pixel would show the background.
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

  it('accepts the engine and its quality as options, which override the environment', async () => {
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
      { env: { REMOVAL_ENGINE: 'http', REMOVAL_URL: 'http://127.0.0.1:9' } },
    );
    expect(run).toMatchObject({ code: 0 });
    expect(await readFile(at('chosen', '.packshot.jsonl'), 'utf8')).toContain('keyer\\",\\"quality');
  });

  it('is not bound by the limits that an operator sets for a service', async () => {
    const limits = {
      MIN_FREE_BYTES: String(2 ** 50),
      ACCOUNT_STORAGE_BYTES: '1',
      MAX_WAITING_CUTOUTS: '0',
      MAX_WAITING_RENDERS: '0',
    };
    const words = ['remove', at('few', 'one.jpg'), '-o', at('limited.jpg'), '--recipe', 'Solid1_1_0035'];
    expect(await packshot(words, { env: limits })).toMatchObject({ code: 0 });
  });

  it("checks every picture against the marketplaces' rules, including pictures from an earlier run", async () => {
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

  it('descends into nested folders, and keeps photos of the same name apart', async () => {
    await mkdir(at('deep', 'red'), { recursive: true });
    for (const name of ['mug.jpg', 'mug.jpeg', 'red/mug.jpg'])
      await copyFile(at('few', 'one.jpg'), at('deep', name));
    expect((await packshot(['remove', at('deep'), '-o', at('deep', 'out')])).code).toBe(0);
    expect(await visible(at('deep', 'out'))).toEqual(['mug.jpeg.png', 'mug.jpg.png']);
    const all = ['remove', at('deep'), '-o', at('deep', 'out'), '--recursive'];
    expect((await packshot(all)).stderr).toMatch(/3 of 3 photos done.*2 of them from an earlier run/);
    expect(await visible(at('deep', 'out', 'red'))).toEqual(['mug.png']);
  });

  it('overwrites a file that it did not create only with `--overwrite`', async () => {
    await mkdir(at('taken'));
    await writeFile(at('taken', 'one.png'), 'precious');
    const words = ['remove', at('few', 'one.jpg'), '-o', at('taken')];
    expect(await packshot(words)).toMatchObject({ code: 1, stderr: expect.stringContaining('--overwrite') });
    expect(await readFile(at('taken', 'one.png'), 'utf8')).toBe('precious');
    expect((await packshot([...words, '--overwrite'])).code).toBe(0);
  });

  it('exits with code 2 on invalid input before processing a photo', async () => {
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
