import { describe, expect, it } from 'vitest';
import { createIllustrationUris } from './illustration-uri.ts';

const owner = { id: `ill_${'0a'.repeat(16)}`, designId: 'dsg_a', accountId: 'acc_a' };
const open = (parts: { secret?: string; now?: number } = {}) =>
  createIllustrationUris({
    secret: parts.secret ?? 'one',
    clock: () => parts.now ?? 1_000_000,
    lifeMs: 60_000,
  });

describe('a signed URI', () => {
  it('opens what it was issued for, with and without a base', () => {
    const uris = open();
    const path = uris.issue(owner, 'preview');
    for (const uri of [path, `https://shop.example${path}`, `https://shop.example/some/where${path}`]) {
      const claim = uris.read(uri)!;
      expect(claim).toMatchObject({ id: owner.id, size: 'preview' });
      expect(uris.isValid(claim, owner)).toBe(true);
    }
  });

  it('fails for another design, another account, another size, another secret, and after its time', () => {
    const claim = open().read(open().issue(owner, 'full'))!;
    expect(open().isValid(claim, { ...owner, designId: 'dsg_b' })).toBe(false);
    expect(open().isValid(claim, { ...owner, accountId: 'acc_b' })).toBe(false);
    expect(open().isValid({ ...claim, size: 'preview' }, owner)).toBe(false);
    expect(open().isValid({ ...claim, expiresAtS: claim.expiresAtS + 1 }, owner)).toBe(false);
    expect(open({ secret: 'two' }).isValid(claim, owner)).toBe(false);
    expect(open({ now: 1_059_999 }).isValid(claim, owner)).toBe(true);
    expect(open({ now: 1_060_000 }).isValid(claim, owner)).toBe(false);
  });

  it.each([
    '',
    '/',
    'https://example.com/a.webp',
    '/v1/illustrations/ill_x.webp?e=1&s=2',
    'javascript:alert(1)',
    '/v1/illustrations/../keys',
  ])('is not read out of %j', (uri) => {
    expect(open().read(uri)).toBeUndefined();
  });
});
