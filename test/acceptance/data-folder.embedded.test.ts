/** Maintenance commands find the service's data, or report that there is none; they create none. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshot, packshotProcess } from './command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-elsewhere-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command without DATA_DIR, in a folder that does not belong to a service. */
const run = (words: string) => packshot(words.split(' '), { cwd: folder, env: { DATA_DIR: '' } });

describe('in a folder without data', () => {
  it.each([
    'keys list',
    'keys create --name shop',
    'presets list',
    'usage',
    'webhooks list',
    'jobs list',
    'secrets list',
    'sweep',
    'export elsewhere',
  ])('`packshot %s` reports in one line that there is no data, and creates nothing', async (words) => {
    const { code, stdout, stderr } = await run(words);
    expect(code).toBe(1);
    expect(String(stdout)).toBe('');
    expect(stderr).toMatch(/^There is no Packshot data in \S+\/data\. Set DATA_DIR [^\n]+\n$/);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each(['models list', 'recipes', 'migrate --check', 'doctor'])(
    '`packshot %s` needs no data, and creates nothing',
    async (words) => {
      await run(words);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

describe('a new data folder', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  it('is created by `packshot migrate`, and the first key may be created before the first start', async () => {
    const env = { DATA_DIR: join(folder, 'made') };
    expect(await packshotProcess(['migrate'], { env })).toMatchObject({ code: 0 });
    expect(await modeOf(env.DATA_DIR)).toBe('700');
    const made = await packshot(['keys', 'create', '--name', 'shop'], { env });
    expect(made.code).toBe(0);
    expect(String(made.stdout)).toMatch(/^psk_live_\w+\n$/);
  });

  it('has files that other users cannot read, even if the folder itself existed before', async () => {
    const env = { DATA_DIR: join(folder, 'volume') };
    await mkdir(env.DATA_DIR, { mode: 0o755 });
    expect(await packshot(['migrate'], { env })).toMatchObject({ code: 0 });
    for (const name of await readdir(env.DATA_DIR))
      expect(await modeOf(join(env.DATA_DIR, name))).toMatch(/00$/);
  });
});
