import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLocalFiles } from './local-files.ts';
import { ToolError } from './results.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'packshot-unit-')));
  await mkdir(join(folder, 'photos', 'inner'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each(['a/.', 'a/b/..', 'inner/x/..', 'inner/..', '.', '..', '../x.png', 'inner/../../x.png'])(
  'a picture for %s is written inside of the roots, or refused',
  async (wanted) => {
    const root = join(folder, 'photos');
    const files = await openLocalFiles([root]);
    const planned = await files
      .planOutput(wanted, { photo: undefined, id: 'dsg_a', ending: 'cutout.png' })
      .catch((error: unknown) => error);
    if (planned instanceof ToolError) return;
    expect(String(planned)).toMatch(new RegExp(`^${root}/[^/]`));
  },
);
