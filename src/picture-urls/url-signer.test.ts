import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../accounts/api-key.ts';
import { readPath, writePath } from './picture-path.ts';
import { createUrlSigner, signPath } from './url-signer.ts';

const keyId = `key_${'a'.repeat(22)}`;
const now = 1_700_000_000_000;
const standing: ApiKey = {
  id: keyId,
  accountId: 'acc_1',
  name: 'shop',
  hint: 'psk_live_abcd…',
  mode: 'live',
  quotaId: keyId,
  scopes: ['render'],
  rate: null,
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
};
function openSigner({ key = standing, all = ['secret'] }: { key?: ApiKey | undefined; all?: string[] } = {}) {
  const secrets = { all: () => all, refresh: async () => undefined };
  return createUrlSigner({
    secrets,
    findKey: async (id) => (id === key?.id ? key : undefined),
    clock: () => now,
  });
}
const path = writePath({
  source: { designId: `dsg_${'b'.repeat(22)}` },
  recipe: 'Solid1_1_0035',
  options: { w: 800 },
  suffix: 'jpg',
});
const split = (url: string) => {
  const [, signature, rest] = /^\/p\/([^/]+)(\/.*)$/.exec(url)!;
  return [signature!, rest!] as const;
};

describe('a signed URL', () => {
  it('holds while its key holds, whoever signed: the service, or a client with the signing key', async () => {
    const signer = openSigner();
    const url = signer.sign(keyId, path);
    expect(signPath(signer.signingKeyOf(keyId), path)).toBe(url);
    await expect(signer.verify(...split(url))).resolves.toMatchObject({ id: keyId });
  });

  it('still holds while the secret it was signed with is accepted', async () => {
    const url = openSigner({ all: ['old'] }).sign(keyId, path);
    await expect(openSigner({ all: ['new', 'old'] }).verify(...split(url))).resolves.toBeDefined();
    await expect(openSigner({ all: ['new'] }).verify(...split(url))).rejects.toMatchObject({ status: 403 });
  });

  it('is refused in the same words if it was altered, or its key revoked, expired or without the scope', async () => {
    const url = openSigner().sign(keyId, path);
    const [signature, rest] = split(url);
    const other = `key_${'c'.repeat(22)}.${signature.split('.')[1]}`;
    const tries = [
      openSigner().verify(signature, rest.replace('800', '900')),
      openSigner().verify(`${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`, rest),
      openSigner().verify(other, rest),
      openSigner().verify('nonsense', rest),
      openSigner({ key: { ...standing, revokedAt: new Date(now) } }).verify(signature, rest),
      openSigner({ key: { ...standing, expiresAt: new Date(now) } }).verify(signature, rest),
      openSigner({ key: { ...standing, scopes: ['upload'] } }).verify(signature, rest),
    ];
    const refusals = await Promise.all(tries.map((each) => each.then(String, (error) => error)));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'invalid_signature', status: 403 });
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
  });
});

describe('the path of a picture', () => {
  it('is read as it was written, also with the long URL of a photo', () => {
    const url = `https://cdn.example/photo.jpg?X-Amz-Security-Token=${'x'.repeat(5000)}&ü=1`;
    for (const source of [{ designId: `dsg_${'b'.repeat(22)}` }, { url }]) {
      const order = { source, recipe: 'Transp001', options: {}, suffix: 'auto' } as const;
      expect(readPath(writePath(order))).toEqual(order);
    }
  });

  it.each([
    ['/dsg_1/Solid1_1_0035', 'The path of a picture is'],
    ['/dsg_1/Solid1_1_0035/picture.gif', 'must end with .jpg'],
    ['/dsg_1/Solid1_1_0035/zoom_2.jpg', '"zoom" is no option'],
  ])('refuses %s', (wrong, words) => {
    expect(() => readPath(wrong)).toThrow(words);
  });
});
