import { afterEach, beforeEach, expect, it } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { createIllustrationStore } from './illustration-store.ts';
import { describeScene } from './painting/write-brief.ts';
import { plan } from './testing/painter-bench.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
  await house.insertDesign('dsg_a');
  await house.insertDesign('dsg_b');
});
afterEach(() => house.close());

const brief = describeScene({ plan, kind: 'Unknown', wish: '' });
const scenesFrom = (seed: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ plan: { ...plan, seed: seed + i }, brief }));

it('keeps 200 illustrations per design, and drops the oldest that were neither used nor painted', async () => {
  const dropped: string[] = [];
  let bytes = 0;
  const illustrations = createIllustrationStore(house.database, () => house.clock.now, {
    onGrown: (designId, grown) => {
      if (designId === 'dsg_a') bytes += grown;
    },
    onDropped: (_, ids) => dropped.push(...ids),
  });
  const suggest = async (seed: number, designId = 'dsg_a') => {
    house.clock.now += 1_000;
    const kept = await illustrations.keepIllustrations(
      { designId, accountId: 'acc_own' },
      scenesFrom(seed, 8),
    );
    return kept.map(({ id }) => id);
  };
  const [used = '', painted = '', ...forgotten] = await suggest(0);
  await suggest(0, 'dsg_b');
  await illustrations.noteUse(used);
  await house.database
    .insertInto('paintings')
    .values({
      illustration_id: painted,
      key_id: 'key_a',
      state: 'done',
      engine: 'x',
      engine_version: '1',
      asks: 1,
      answer: null,
      made: '{}',
      failure: null,
      retry_at: null,
      created_at: 0,
    })
    .execute();
  // Repeating the same suggestion adds nothing.
  for (let i = 0; i < 30; i++) await suggest(0);
  expect(dropped).toEqual([]);
  let last: string[] = [];
  for (let i = 1; i <= 30; i++) last = await suggest(i * 100);
  expect(dropped).toEqual(expect.arrayContaining(forgotten));
  for (const id of [used, painted, ...last]) expect(await illustrations.findIllustration(id)).toBeDefined();
  for (const id of forgotten) expect(await illustrations.findIllustration(id)).toBeUndefined();
  const rows = await house.database
    .selectFrom('illustrations')
    .select(['plan', 'brief'])
    .where('design_id', '=', 'dsg_a')
    .execute();
  expect(rows.length).toBeLessThanOrEqual(200 + 2);
  expect(bytes).toBe(rows.reduce((sum, row) => sum + row.plan.length + (row.brief?.length ?? 0), 0));
  const others = await house.database
    .selectFrom('illustrations')
    .select('id')
    .where('design_id', '=', 'dsg_b')
    .execute();
  expect(others).toHaveLength(8);
});
