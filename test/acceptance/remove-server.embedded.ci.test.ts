/** `packshot remove --server`: a service does the work. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, packshot, startPackshot } from './command.ts';
import { sizeOf, usePhotoFolder, visible } from './photo-folder.ts';
import { emptyPhoto, type Service, startService } from './service.ts';

const at = usePhotoFolder();

describe('packshot remove --server', () => {
  let service: Service;
  beforeAll(async () => {
    // The rate limit is so low that the command has to wait.
    service = await startService({ RATE_PER_SECOND: '8', RATE_BURST: '8', MAX_IN_FLIGHT: '2' });
    await mkdir(at('served'));
    for (const name of ['a', 'b', 'c', 'd'])
      await copyFile(at('few', 'one.jpg'), at('served', `${name}.jpg`));
    await writeFile(at('served', 'empty.jpg'), await emptyPhoto());
  });
  afterAll(() => service.stop());
  const there = () => ['--server', service.url, '--key', service.key];

  it('uses a service, respects Retry-After, and leaves nothing on the service', async () => {
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

  it('makes the same picture as without a service', async () => {
    const photo = at('few', 'one.jpg');
    const calls = [
      [photo, '--recipe', 'Solid1_1_0042', '--margin', '0.2', '--shrink', '1'],
      [photo, '--mask'],
      // A photo that stays as it is needs no product.
      [at('served', 'empty.jpg'), '--recipe', 'Solid1_1_0035', '--cutout', 'none'],
    ];
    for (const call of calls) {
      const words = ['remove', ...call, '-o'];
      await packshot([...words, at('there.png'), ...there()]);
      await packshot([...words, at('here.png')]);
      expect((await readFile(at('there.png'))).equals(await readFile(at('here.png')))).toBe(true);
    }
  });

  it('renders photos in a look of the service, and in a look file that the service does not keep', async () => {
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
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^unknown_look: .*GET \/v1\/looks/),
    });
    const elsewhere = await packshot([...words, id, '-o', at('by-nobody.png')]);
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--server') });
  });

  it('watches a folder, and sends each photo that arrives to the service', async () => {
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
