import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linesOf, packshot, packshotProcess } from './command.ts';
import { cratePhoto, type Service, startOwnService } from './service.ts';

let folder: string;
const at = (...parts: string[]) => join(folder, ...parts);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-scene-'));
  await writeFile(at('crate.jpg'), await cratePhoto());
  await writeFile(
    at('kitchen.png'),
    await cratePhoto({ format: 'png', width: 600, height: 600, paper: '#b0b4a8' }),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('packshot scene', () => {
  it('makes the requested scenes in files named after them, and reports words that it did not understand', async () => {
    const left = at('left');
    await mkdir(left);
    const words = ['scene', at('crate.jpg'), '--prompt', 'white marble podium, blorb', '--ratio', '4:5'];
    const run = await packshotProcess([...words, '--count', '2', '--preview', '--json', '-o', at('scenes')], {
      env: { TMPDIR: left },
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Not understood in the prompt: blorb\n');
    // The command's temporary folders are gone.
    expect((await readdir(left)).filter((name) => name.startsWith('packshot-'))).toEqual([]);
    const made = await readdir(at('scenes'));
    expect(made).toHaveLength(2);
    for (const name of made) {
      expect(name).toMatch(/^crate-marble-podium[a-z-]*\.jpg$/);
      expect(await sharp(at('scenes', name)).metadata()).toMatchObject({ width: 512, height: 640 });
    }
    expect(linesOf(run)).toEqual(
      made.map(() =>
        expect.objectContaining({ file: at('crate.jpg'), state: 'done', title: expect.any(String) }),
      ),
    );
  });

  it('saves a scene as a look file, and shows other products in it', async () => {
    await writeFile(at('wide.jpg'), await cratePhoto({ width: 900, height: 400 }));
    const first = ['scene', at('crate.jpg'), '--count', '1', '--preview', '--save-looks', '-o', at('first')];
    expect((await packshot([...first, '--match', 'light'])).code).toBe(0);
    const [file, ...more] = (await readdir(at('first'))).filter((name) => name.endsWith('.look.json'));
    expect(more).toEqual([]);
    const look = JSON.parse(await readFile(at('first', file!), 'utf8'));
    expect(look).toEqual({
      title: expect.any(String),
      from: { plan: expect.any(Object), mutations: { match: 'light' } },
    });
    const second = ['scene', at('wide.jpg'), at('crate.jpg'), '--look', at('first', file!)];
    expect((await packshot([...second, '--preview', '-o', at('second')])).code).toBe(0);
    const slug = file!.replace('crate-', '').replace('.look.json', '');
    expect(await readdir(at('second'))).toEqual([`crate-${slug}.jpg`, `wide-${slug}.jpg`]);
  });

  it("uses a service, also with the user's own backdrop, and leaves nothing on the service", async () => {
    const service: Service = await startOwnService();
    try {
      const there = ['--preview', '-o', at('served'), '--server', service.url, '--key', service.key];
      expect((await packshot(['scene', at('crate.jpg'), '--count', '1', ...there])).code).toBe(0);
      const backdrop = ['--backdrop', at('kitchen.png'), '--format', 'webp'];
      expect((await packshot(['scene', at('crate.jpg'), ...backdrop, ...there])).code).toBe(0);
      expect((await packshot(['scene', at('crate.jpg'), ...backdrop, ...there])).code).toBe(0);
      const made = await readdir(at('served'));
      expect(made).toHaveLength(3);
      expect(made).toEqual(expect.arrayContaining(['crate-on-kitchen.webp', 'crate-on-kitchen-2.webp']));
      for (const kind of ['designs', 'backdrops']) {
        expect(await readdir(join(service.dataDir, 'blobs', kind))).toEqual([]);
      }
    } finally {
      await service.stop();
    }
  });

  it('exits with code 2 on invalid input', async () => {
    const misfits: [string[], RegExp][] = [
      [['--ratio', '7:9'], /4:5/],
      [['--count', '0'], /1 to/],
      [['--backdrop', at('kitchen.png'), '--prompt', 'x'], /--prompt/],
      [['--preset', 'NOBODYS'], /AI_STUDIO/],
      [['--look', at('kitchen.png')], /is not a look/],
      [['--look', at('nothing.look.json')], /no such file/],
      [['--look', `Look_${'a'.repeat(24)}`], /--server/],
    ];
    const ends = await Promise.all(
      misfits.map(([words]) =>
        packshot(['scene', at('crate.jpg'), ...words], { env: { DATA_DIR: at('data') } }),
      ),
    );
    ends.forEach((ended, index) => {
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(misfits[index]![1]) });
    });
  });
});
