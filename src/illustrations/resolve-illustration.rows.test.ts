import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesignHouse, imageFacts, openDesignHouse } from '../designs/testing/design-house.ts';
import { createBackdropStore } from './backdrop-store.ts';
import { createIllustrationStore } from './illustration-store.ts';
import { createIllustrationUris } from './illustration-uri.ts';
import { createIllustrationResolver } from './resolve-illustration.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
  await house.insertDesign('dsg_a');
  await house.insertDesign('dsg_b');
});
afterEach(() => house.close());

function open() {
  const clock = () => house.clock.now;
  const uris = createIllustrationUris({
    secrets: { all: () => ['one'], refresh: async () => undefined },
    clock,
    lifeMs: 60_000,
  });
  const illustrations = createIllustrationStore(house.database, clock);
  const backdrops = createBackdropStore(house.database, { clock, retentionMs: 60_000 });
  return {
    uris,
    illustrations,
    backdrops,
    resolver: createIllustrationResolver({
      uris,
      illustrations,
      backdrops,
      findLookPicture: async () => undefined,
    }),
  };
}

const plain = { plain: { recipeId: 'Solid1_1_0042', variant: '1:1' } };
const owner = { designId: 'dsg_a', accountId: 'acc_own' };
const refused = { code: 'mutation_uri_rejected' };

describe('an illustration of a design', () => {
  it('is returned as stored, and keeps its id when stored again', async () => {
    const { illustrations, uris, resolver } = open();
    const [kept] = await illustrations.keepIllustrations(owner, [plain]);
    const [again] = await illustrations.keepIllustrations(owner, [plain]);
    expect(again!.id).toBe(kept!.id);
    const uri = `https://shop.example${uris.issue(kept!, 'full')}`;
    expect(await resolver.resolveForDesign(uri, 'dsg_a', 'acc_own')).toMatchObject({
      kind: 'plain',
      plan: { recipeId: 'Solid1_1_0042', backdrop: { kind: 'solid' } },
    });
    expect(await resolver.findClaimed(uri)).toMatchObject({ size: 'full' });
  });

  it('is told to be dropped, not to be altered, once newer ones have replaced it', async () => {
    const { illustrations, uris, resolver } = open();
    const [oldest] = await illustrations.keepIllustrations(owner, [plain]);
    const uri = uris.issue(oldest!, 'preview');
    house.clock.now += 1_000;
    const colors = Array.from({ length: 200 }, (_, i) => `#0000${i.toString(16).padStart(2, '0')}`);
    await illustrations.keepIllustrations(
      owner,
      colors.map((color) => ({ plain: { ...plain.plain, mutations: { background: { color } } } })),
    );
    await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_own')).rejects.toMatchObject({
      code: 'illustration_dropped',
      status: 409,
    });
    const altered = uri.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    await expect(resolver.resolveForDesign(altered, 'dsg_a', 'acc_own')).rejects.toMatchObject(refused);
    await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_other')).rejects.toMatchObject(refused);
  });

  it('is rejected for other designs and accounts, and after its design is erased', async () => {
    const { illustrations, uris, resolver } = open();
    const [kept] = await illustrations.keepIllustrations(owner, [plain]);
    const uri = uris.issue(kept!, 'preview');
    await expect(resolver.resolveForDesign(uri, 'dsg_b', 'acc_own')).rejects.toMatchObject(refused);
    await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_other')).rejects.toMatchObject(refused);
    await house.designs.removeDesign('dsg_a');
    await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_own')).rejects.toThrow();
    expect(await resolver.findClaimed(uri)).toBeUndefined();
  });
});

describe("a caller's own backdrop", () => {
  const id = `bdp_${'x'.repeat(22)}`;
  const upload = { id, accountId: 'acc_own', image: imageFacts };

  it('works with every design of its account, and with no other account', async () => {
    const { backdrops, uris, resolver } = open();
    const uri = uris.issue(await backdrops.insertBackdrop(upload), 'full');
    for (const design of ['dsg_a', 'dsg_b']) {
      expect(await resolver.resolveForDesign(uri, design, 'acc_own')).toMatchObject({ kind: 'backdrop', id });
    }
    await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_other')).rejects.toMatchObject(refused);
  });

  it('expires unless it is used; sweeps do not count as a use', async () => {
    const { backdrops } = open();
    const hour = 3_600_000;
    const { expiresAt } = await backdrops.insertBackdrop(upload);
    const longer = createBackdropStore(house.database, {
      clock: () => house.clock.now,
      retentionMs: 9 * hour,
    });
    house.clock.now += 30_000;
    expect((await backdrops.findBackdrop(id))!.expiresAt).toEqual(expiresAt);
    house.clock.now += 40_000;
    expect(await backdrops.findBackdrop(id)).toBeUndefined();
    expect(await backdrops.listExpired()).toEqual([id]);
    expect(await backdrops.hasBackdrop(id)).toBe(true);
    await backdrops.removeBackdrop(id, 'acc_own');
    await longer.insertBackdrop(upload);
    house.clock.now += 2 * hour;
    await longer.touchBackdrop(id);
    const renewed = (await longer.findBackdrop(id))!.expiresAt!;
    // One retention period, plus the maximum interval between two recorded uses: a hundredth of the period.
    expect(renewed.getTime()).toBe(house.clock.now + 9 * hour * 1.01);
  });

  it('can be removed only by its own account', async () => {
    const { backdrops } = open();
    await backdrops.insertBackdrop(upload);
    expect(await backdrops.removeBackdrop(id, 'acc_other')).toBe(false);
    expect(await backdrops.removeBackdrop(id, 'acc_own')).toBe(true);
    expect(await backdrops.findBackdrop(id)).toBeUndefined();
  });
});

it("a backdrop's life is extended when its account renders with it, but not by views or by altered URIs", async () => {
  const { backdrops, uris, resolver } = open();
  const id = `bdp_${'y'.repeat(22)}`;
  const kept = createBackdropStore(house.database, {
    clock: () => house.clock.now,
    retentionMs: 10 * 3_600_000,
  });
  const backdrop = await kept.insertBackdrop({ id, accountId: 'acc_own', image: imageFacts });
  const uri = uris.issue(backdrop, 'full', 99 * 3_600_000);
  house.clock.now += 2 * 3_600_000;
  expect(await resolver.findClaimed(`${uri.slice(0, -1)}${uri.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  expect((await backdrops.findBackdrop(id))!.expiresAt).toEqual(backdrop.expiresAt);
  expect(await resolver.findClaimed(uri)).toMatchObject({ illustration: { id } });
  await expect(resolver.resolveForDesign(uri, 'dsg_a', 'acc_other')).rejects.toMatchObject({
    code: 'mutation_uri_rejected',
  });
  expect((await backdrops.findBackdrop(id))!.expiresAt).toEqual(backdrop.expiresAt);
  await resolver.resolveForDesign(uri, 'dsg_a', 'acc_own');
  expect((await backdrops.findBackdrop(id))!.expiresAt).not.toEqual(backdrop.expiresAt);
});

it('a resolver recognizes its own URIs by format, and requires a valid signature', async () => {
  const { resolver } = open();
  const forged = `/v1/illustrations/ill_${'0a'.repeat(16)}.webp?e=99999999999&s=${'A'.repeat(43)}`;
  expect(resolver.isOurs(forged)).toBe(true);
  expect(resolver.isOurs('https://example.com/a.webp')).toBe(false);
  expect(await resolver.findClaimed(forged)).toBeUndefined();
  await expect(resolver.resolveForDesign(forged, 'dsg_a', 'acc_own')).rejects.toMatchObject(refused);
});
