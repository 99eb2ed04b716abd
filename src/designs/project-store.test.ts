import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DesignPosition } from './project-store.ts';
import { type DesignHouse, lifeMs, openDesignHouse } from './testing/design-house.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const own = 'acc_own';
const listIds = async (choice: { project?: string; after?: DesignPosition; limit?: number } = {}) =>
  (await house.projects.listDesigns(own, { limit: 100, ...choice })).map(({ id }) => id);

describe('the list of designs', () => {
  it('has the newest first, and only those of the account that have not expired', async () => {
    await house.insertDesign('dsg_expired');
    house.clock.now += lifeMs;
    await house.insertDesign('dsg_old');
    await house.insertDesign('dsg_other', 'acc_other');
    house.clock.now += 1;
    await house.insertDesign('dsg_new');
    expect(await listIds()).toEqual(['dsg_new', 'dsg_old']);
  });

  it('is paged without gaps or repetitions, also among designs of the same millisecond', async () => {
    for (let i = 0; i < 7; i++) {
      await house.insertDesign(`dsg_${i}`, own, i % 2 ? 'odd' : 'even');
      if (i % 3 === 2) house.clock.now += 1;
    }
    const listAll = async (project?: string) => {
      const seen: string[] = [];
      let after: DesignPosition | undefined;
      for (;;) {
        const page = await house.projects.listDesigns(own, { ...(project && { project }), after, limit: 2 });
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (page.length < 2) return seen;
      }
    };
    expect(await listAll()).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `dsg_${i}`));
    expect(await listAll('odd')).toEqual(['dsg_5', 'dsg_3', 'dsg_1']);
  });
});

describe('projects', () => {
  it('are counted and dated by their designs, the one with the newest design first', async () => {
    const start = house.clock.now;
    await house.insertDesign('dsg_a', own, 'shoes');
    await house.insertDesign('dsg_plain');
    await house.insertDesign('dsg_other', 'acc_other', 'shoes');
    house.clock.now += 1000;
    await house.insertDesign('dsg_b', own, 'lamps');
    house.clock.now += 1000;
    await house.insertDesign('dsg_c', own, 'shoes');
    expect(await house.projects.listProjects(own)).toEqual([
      { name: 'shoes', designs: 2, firstAt: new Date(start), lastAt: new Date(start + 2000) },
      { name: 'lamps', designs: 1, firstAt: new Date(start + 1000), lastAt: new Date(start + 1000) },
    ]);
  });

  it('that get the same name become one; other accounts keep theirs', async () => {
    await house.insertDesign('dsg_a', own, 'shoes');
    await house.insertDesign('dsg_b', own, 'boots');
    await house.insertDesign('dsg_c', 'acc_other', 'shoes');
    await house.projects.renameProject('shoes', 'boots', own);
    expect(await listIds({ project: 'boots' })).toEqual(['dsg_b', 'dsg_a']);
    expect(await house.projects.findProject('shoes', own)).toBeUndefined();
    expect(await house.projects.findProject('shoes', 'acc_other')).toMatchObject({ designs: 1 });
  });
});
