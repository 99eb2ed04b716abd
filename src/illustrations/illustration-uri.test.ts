import { describe, expect, it } from 'vitest';
import { createIllustrationUris } from './illustration-uri.ts';

const owner = { id: `ill_${'0a'.repeat(16)}`, designId: 'dsg_a', accountId: 'acc_a' };
const open = (parts: { secrets?: readonly string[]; now?: number; refresh?: () => Promise<void> } = {}) =>
  createIllustrationUris({
    secrets: { all: () => parts.secrets ?? ['one'], refresh: parts.refresh ?? (async () => undefined) },
    clock: () => parts.now ?? 1_000_000,
    lifeMs: 60_000,
  });

describe('a signed URI', () => {
  it('is valid for its illustration, with and without a base URL', async () => {
    const uris = open();
    const path = uris.issue(owner, 'preview');
    for (const uri of [path, `https://shop.example${path}`, `https://shop.example/some/where${path}`]) {
      const claim = uris.read(uri)!;
      expect(claim).toMatchObject({ id: owner.id, size: 'preview' });
      expect(await uris.isValid(claim, owner)).toBe(true);
    }
  });

  it('is invalid for another design, account, size or secret, and after its expiry', async () => {
    const claim = open().read(open().issue(owner, 'full'))!;
    expect(await open().isValid(claim, { ...owner, designId: 'dsg_b' })).toBe(false);
    expect(await open().isValid(claim, { ...owner, accountId: 'acc_b' })).toBe(false);
    expect(await open().isValid({ ...claim, size: 'preview' }, owner)).toBe(false);
    expect(await open().isValid({ ...claim, expiresAtS: claim.expiresAtS + 1 }, owner)).toBe(false);
    expect(await open({ secrets: ['two'] }).isValid(claim, owner)).toBe(false);
    expect(await open({ now: 1_059_999 }).isValid(claim, owner)).toBe(true);
    expect(await open({ now: 1_060_000 }).isValid(claim, owner)).toBe(false);
  });

  it('is signed with the first secret and verified with any secret', async () => {
    const before = open().issue(owner, 'full');
    const rotated = open({ secrets: ['two', 'one'] });
    const after = rotated.issue(owner, 'full');
    expect(after).not.toBe(before);
    expect(after).toBe(open({ secrets: ['two'] }).issue(owner, 'full'));
    for (const uri of [before, after]) expect(await rotated.isValid(rotated.read(uri)!, owner)).toBe(true);
    expect(await open({ secrets: ['two'] }).isValid(open().read(before)!, owner)).toBe(false);
  });

  it('is valid after a refresh that loads its secret, and invalid after a refresh that does not', async () => {
    const secrets = ['one'];
    let looks = 0;
    const uris = open({
      secrets,
      refresh: async () => {
        looks++;
        secrets.unshift('two');
      },
    });
    const elsewhere = open({ secrets: ['two', 'one'] });
    expect(await uris.isValid(uris.read(uris.issue(owner, 'full'))!, owner)).toBe(true);
    expect(looks).toBe(0);
    expect(await uris.isValid(uris.read(elsewhere.issue(owner, 'full'))!, owner)).toBe(true);
    const forged = open({ secrets: ['three'] }).issue(owner, 'full');
    expect(await uris.isValid(uris.read(forged)!, owner)).toBe(false);
    expect(looks).toBe(2);
  });

  it.each([
    '',
    '/',
    'https://example.com/a.webp',
    '/v1/illustrations/ill_x.webp?e=1&s=2',
    'javascript:alert(1)',
    '/v1/illustrations/../keys',
  ])('is not parsed from %j', (uri) => {
    expect(open().read(uri)).toBeUndefined();
  });
});
