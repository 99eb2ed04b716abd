/** Runs of `packshot remove` that are interrupted, repeated, or watch a folder. */
import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { linesOf, packshot, startPackshot } from './command.ts';
import { holdRemover } from './held-remover.ts';
import { usePhotoFolder, visible } from './photo-folder.ts';
import { cratePhoto } from './service.ts';

const at = usePhotoFolder();

describe('a run of packshot remove', () => {
  it('resumes after a kill: no half-written file, no repeated work, and a broken file blocks no other', async () => {
    await mkdir(at('many'));
    const photo = await cratePhoto();
    for (let number = 1; number <= 18; number++) await writeFile(at('many', `${number}.jpg`), photo);
    await writeFile(at('many', '15-broken.jpg'), photo.subarray(0, photo.length / 2));
    const words = ['remove', at('many'), '-o', at('killed')];
    // Six photos are cut out; the others wait until the command has been killed.
    const remover = await holdRemover();
    const env = remover.environment;
    remover.release(6);

    const first = startPackshot(words, { env });
    await first.said(/(?:done {5}[\s\S]*?){6}/);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const finished = await visible(at('killed'));
    expect(finished).toHaveLength(6);
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
    expect(lines.filter(({ state }) => state === 'done')).toHaveLength(18 - finished.length);
    expect(lines.filter(({ state }) => state === 'failed')).toEqual([
      {
        file: at('many', '15-broken.jpg'),
        state: 'failed',
        error: expect.objectContaining({ code: 'image_undecodable' }),
      },
    ]);
    expect(await visible(at('killed'))).toHaveLength(18);
    expect((await readdir(at('killed'))).filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const [name, mtimeMs] of madeAt) expect((await stat(at('killed', name))).mtimeMs).toBe(mtimeMs);
    expect(second.stderr).toMatch(/18 of 19 photos done.*\n1 photo failed:\n {2}\S+15-broken\.jpg: /);
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
    // A photo with another date counts as changed, even if the date is older.
    await utimes(at('changing', 'b.jpg'), 1e9, 1e9);
    expect(await states()).toEqual(['skipped', 'done']);
    await rm(at('changed', 'a.png'));
    expect(await states()).toEqual(['skipped', 'done']);
    expect(await states('--recipe', 'Solid1_1_0035', '--format', 'png')).toEqual(['done', 'done']);
    expect(await states('--overwrite')).toEqual(['done', 'done']);
  });

  it('finishes running work at Ctrl-C, and exits with 130', async () => {
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

  it('watches a folder: processes each complete file, retries failures, and continues after a restart', async () => {
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

  it('watches only a single folder, and only if the output goes to a different folder', async () => {
    const misfits = [
      [at('few', 'one.jpg'), '-o', at('out')],
      [at('few'), at('many'), '-o', at('out')],
      [at('few'), '-o', at('few')],
      [at('few'), '-o', '-'],
    ];
    for (const words of misfits) expect((await packshot(['remove', ...words, '--watch'])).code).toBe(2);
  });
});
