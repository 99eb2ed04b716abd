import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccountStore } from '../accounts/account-store.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import type { LookContent } from './look.ts';
import { createLookStore, type LookStore } from './look-store.ts';

let opened: TemporaryDatabase;
let looks: LookStore;
let now: number;
let shop: string;
let other: string;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  looks = createLookStore(opened.database, { clock: () => now, maxPerAccount: 3 });
  const accounts = createAccountStore(opened.database, () => now);
  const newAccount = async (name: string) =>
    (await accounts.createKey({ name, scopes: ['render'], expiresAt: null, newAccount: true })).key.accountId;
  [shop, other] = [await newAccount('shop'), await newAccount('other')];
});
afterEach(() => opened.close());

const white = (margin: number): LookContent => ({
  recipe: { recipeId: 'Solid1_1_0035', variant: '1:1', mutations: { layout: { margin } } },
});
const keep = (margin: number, title?: string, accountId = shop) =>
  looks.keepLook({ accountId, content: white(margin), title, suggestedTitle: 'White' });

describe('looks', () => {
  it('with equal content are one look, which has the title that the caller gave last', async () => {
    const look = await keep(0.1);
    expect(look).toMatchObject({ accountId: shop, title: 'White', content: white(0.1) });
    expect(await keep(0.1)).toEqual(look);
    expect(await keep(0.1, 'Spring')).toEqual({ ...look, title: 'Spring' });
    expect(await keep(0.1)).toMatchObject({ title: 'Spring' });
    expect(await looks.listLooks(shop)).toHaveLength(1);
  });

  it('with equal content are one look, even if many callers keep them at once', async () => {
    const kept = await Promise.all(Array.from({ length: 8 }, () => keep(0.1)));
    expect(new Set(kept.map(({ id }) => id)).size).toBe(1);
    expect(await looks.listLooks(shop)).toHaveLength(1);
  });

  it('are listed newest first', async () => {
    const ids: string[] = [];
    for (const margin of [0.1, 0.2, 0.3]) {
      ids.unshift((await keep(margin)).id);
      now += 1_000;
    }
    expect((await looks.listLooks(shop)).map(({ id }) => id)).toEqual(ids);
  });

  it('whose scene can no longer be drawn are left out of the list, and are refused by name', async () => {
    const kept = await keep(0.1);
    const [row] = await opened.database.selectFrom('looks').selectAll().execute();
    const outdated = {
      ...row!,
      id: `Look_${'0'.repeat(24)}`,
      content: JSON.stringify({ plan: { version: 0 } }),
    };
    await opened.database.insertInto('looks').values(outdated).execute();
    expect(await looks.listLooks(shop)).toEqual([kept]);
    await expect(looks.findLook(outdated.id, shop)).rejects.toMatchObject({ code: 'scene_outdated' });
    expect(await looks.removeLook(outdated.id, shop)).toBe(true);
  });

  it('belong to one account: others cannot find, list or remove them', async () => {
    const { id } = await keep(0.1);
    expect((await keep(0.1, undefined, other)).id).not.toBe(id);
    expect(await looks.findLook(id, other)).toBeUndefined();
    expect((await looks.listLooks(other)).map((look) => look.id)).not.toContain(id);
    expect(await looks.removeLook(id, other)).toBe(false);
    expect(await looks.findLook(id, shop)).toMatchObject({ id, content: white(0.1) });
    expect(await looks.findAnyLook(id)).toMatchObject({ id, accountId: shop });
  });

  it('are limited per account, also while many are kept at once; a removed look makes room', async () => {
    const kept = await Promise.allSettled([0.1, 0.15, 0.2, 0.25, 0.3, 0.35].map((margin) => keep(margin)));
    expect(kept.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(keep(0.4)).rejects.toMatchObject({ code: 'too_many_looks' });
    await keep(0.4, undefined, other);
    const [first] = await looks.listLooks(shop);
    expect(await looks.removeLook(first!.id, shop)).toBe(true);
    expect(await looks.findLook(first!.id, shop)).toBeUndefined();
    await keep(0.4);
  });

  it('are not found under a malformed or an unknown id', async () => {
    expect(await looks.findLook('Look_1', shop)).toBeUndefined();
    expect(await looks.findLook(`Look_${'0'.repeat(24)}`, shop)).toBeUndefined();
  });
});
