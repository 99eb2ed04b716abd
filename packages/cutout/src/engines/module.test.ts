import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRemovalEngine, drawBall } from '../removal-engine.contract.ts';
import { openModule } from './module.ts';

const file = fileURLToPath(new URL('./testing/darkness-engine.mjs', import.meta.url));
describeRemovalEngine('darkness', () => openModule({ file }));

describe('an engine from a file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packshot-module-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  let count = 0;
  const open = async (code: string) => {
    const path = join(folder, `mine-${count++}.mjs`);
    await writeFile(path, code);
    return openModule({ file: path });
  };

  it('may be opened by a function', async () => {
    const engine = await open(
      `import engine from ${JSON.stringify(file)}; export default async () => engine;`,
    );
    expect(engine.version).toContain('darkness 1');
  });

  it.each([
    ['export const engine = 1;', /mine-\d+\.mjs: the file needs a default export/],
    ['export default { version: "1" };', /needs `id`/],
    ['export default { id: "x", version: "" };', /needs `version`/],
    ['export default { id: "x", version: "1", close() {} };', /needs `predictMatte`, a function/],
    ['export default { id: "x", version: "1", predictMatte() {} };', /needs `close`, a function/],
    ['export default null;', /needs `id`/],
    ['not javascript', /cannot be loaded/],
  ])('is refused with the file and the member that is wrong: %s', async (code, message) => {
    await expect(open(code)).rejects.toThrow(message);
  });

  it('that does not exist is refused', async () => {
    await expect(openModule({ file: join(folder, 'none.mjs') })).rejects.toThrow(
      /none\.mjs: the file cannot be/,
    );
  });

  it('gets an error for a matte of another shape', async () => {
    const engine = await open(
      'export default { id: "x", version: "1", async predictMatte() { return { width: 20, height: 20, data: [] }; }, async close() {} };',
    );
    const { signal } = new AbortController();
    await expect(engine.predictMatte(drawBall(64, 64), { signal })).rejects.toThrow(/must return \{ width/);
  });
});
