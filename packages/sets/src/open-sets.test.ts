import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { builtIn, openSets, readSetFile, SetFileError } from './open-sets.ts';
import { planSample } from './testing/plans.ts';

const folder = await mkdtemp(join(tmpdir(), 'packshot-sets-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const example = builtIn.sets.find(({ id }) => id === 'marble-podium')!;

async function write(id: string, changes: object): Promise<string> {
  const path = join(folder, `${id}.json`);
  await writeFile(path, JSON.stringify({ ...example, id, ...changes }));
  return path;
}

describe('a set file that is wrong', () => {
  it.each([
    ['a material that does not exist', { floor: { material: 'lava' } }, /floor\.material: .*"marble"/],
    ['an unknown field', { colour: 'red' }, /colour/],
    ['a number out of range', { light: { ...example.light, el: 95 } }, /light\.el: .*80/],
    ['a tag that no dictionary has', { tags: ['marbel'] }, /tags: "marbel".*prompt-words/],
    ['a stand seen from above', { camera: { elevDeg: [8, 28] } }, /camera\.elevDeg: .*20 degrees/],
    ['a stand for what lies', { offered: ['lying'] }, /offered: .*no stand/],
    ['another name than its file', { id: 'other' }, /id: is "other".*"wrong"/],
    ['no kind', { kind: undefined }, /kind: .*"set"/],
  ])('is refused for %s, with file, field and remedy', async (_what, changes, message) => {
    const path = await write('wrong', changes);
    const read = () => readSetFile(path);
    expect(read).toThrow(SetFileError);
    expect(read).toThrow(message);
    expect(read).toThrow(path);
    // Nothing half loads.
    expect(() => openSets(folder)).toThrow(path);
    await rm(path);
  });

  it('is refused if it is no JSON, or has the id of a built-in set', async () => {
    const path = join(folder, 'broken.json');
    await writeFile(path, '{');
    expect(() => openSets(folder)).toThrow(/broken\.json: is not readable JSON/);
    await rm(path);
    const twin = await write(example.id, {});
    expect(() => openSets(folder)).toThrow(/id: .*is built in\. Choose another/);
    await rm(twin);
    expect(() => openSets(join(folder, 'missing'))).toThrow(/SETS_DIR/);
  });
});

it("suggests an operator's own set by its own words", async () => {
  const path = await write('spring-campaign', { title: 'Spring campaign', words: ['Frühlingskampagne'] });
  const { lists, report } = planSample({ prompt: 'Frühlingskampagne, bitte', own: openSets(folder) });
  expect(lists[0]!.scenes[0]!.title).toBe('Spring campaign');
  expect(report).toEqual({
    used: [{ words: ['Frühlingskampagne'], effect: 'spring campaign' }],
    notShown: [],
  });
  await rm(path);
});
