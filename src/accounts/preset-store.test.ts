import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Preset } from '../recipes/presets.ts';
import { openTemporaryDatabase, type TemporaryDatabase } from '../storage/testing/temporary-database.ts';
import { createAccountStore } from './account-store.ts';
import { createPresetStore, type PresetStore } from './preset-store.ts';

let opened: TemporaryDatabase;
let presets: PresetStore;
let now: number;
beforeEach(async () => {
  opened = await openTemporaryDatabase();
  now = Date.UTC(2026, 0, 1);
  presets = createPresetStore(opened.database, () => now);
});
afterEach(() => opened.close());

const acme: Preset = { name: 'ACME', families: ['solid'], palette: ['#B5523A'], ratios: ['4:5'] };
const other: Preset = { name: 'OTHER', styles: [] };
const keepExisting = { replace: false };

async function newKeyId(): Promise<string> {
  const accounts = createAccountStore(opened.database, () => now);
  return (await accounts.createKey({ name: 'shop', scopes: ['suggest'], expiresAt: null })).key.id;
}

describe('presets', () => {
  it('are stored unchanged, and listed by name', async () => {
    await presets.savePresets([other, acme], keepExisting);
    expect(await presets.listPresets()).toEqual([acme, other]);
    expect(await presets.findPreset('ACME')).toEqual(acme);
    expect(await presets.findPreset('acme')).toBeUndefined();
  });

  it('replace presets of the same name only on request, and are saved all together or not at all', async () => {
    await presets.savePresets([acme], keepExisting);
    await expect(presets.savePresets([other, { name: 'ACME' }], keepExisting)).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringContaining('ACME'),
    });
    expect(await presets.listPresets()).toEqual([acme]);
    await presets.savePresets([other, { name: 'ACME' }], { replace: true });
    expect(await presets.listPresets()).toEqual([{ name: 'ACME' }, other]);
  });

  it('keep their grants when they are replaced, and lose them when they are removed', async () => {
    const keyId = await newKeyId();
    await presets.savePresets([acme, other], keepExisting);
    await presets.grantPreset('ACME', keyId);
    await presets.grantPreset('OTHER', keyId);
    await presets.savePresets([acme], { replace: true });
    expect(await presets.listGrants('ACME')).toEqual([{ preset: 'ACME', keyId, createdAt: new Date(now) }]);
    expect(await presets.removePreset('ACME')).toEqual([keyId]);
    expect(await presets.removePreset('ACME')).toBeUndefined();
    expect((await presets.listGrants()).map(({ preset }) => preset)).toEqual(['OTHER']);
    await presets.savePresets([acme], keepExisting);
    await expect(presets.resolvePreset('ACME', keyId)).rejects.toMatchObject({ code: 'preset_not_allowed' });
  });

  it.each(['acme-brand', 'Frühling 2026 🌷', "it's; drop table presets --", 'x'.repeat(100)])(
    'may have the custom name %j',
    async (name) => {
      const keyId = await newKeyId();
      await presets.savePresets([{ name }], keepExisting);
      await presets.grantPreset(name, keyId);
      expect(await presets.resolvePreset(name, keyId)).toEqual({ name });
      await expect(presets.resolvePreset(name.toUpperCase(), keyId)).rejects.toMatchObject({
        code: 'unknown_preset',
      });
    },
  );

  it.each(['', 'NUL \u0000', 'x'.repeat(101), '\ud800'])('cannot have the name %j', async (name) => {
    await expect(presets.resolvePreset(name, await newKeyId())).rejects.toMatchObject({
      code: 'unknown_preset',
      fields: [{ pointer: '/recipePreset' }],
    });
  });

  it('that are no longer valid are refused, and the message names them', async () => {
    const keyId = await newKeyId();
    await presets.savePresets([acme], keepExisting);
    await presets.grantPreset('ACME', keyId);
    for (const definition of ['{"name":"ACME","styles":["neon"]}', '{']) {
      await opened.database.updateTable('presets').set({ definition }).execute();
      const reads = [() => presets.resolvePreset('ACME', keyId), () => presets.findPreset('ACME')];
      for (const read of reads) {
        await expect(read()).rejects.toMatchObject({
          code: 'internal',
          message: expect.stringContaining('ACME'),
        });
      }
    }
    expect(await presets.removePreset('ACME')).toEqual([keyId]);
  });
});

describe('a grant', () => {
  it('allows the preset for one key, until it is revoked', async () => {
    const [granted, stranger] = [await newKeyId(), await newKeyId()];
    await presets.savePresets([acme], keepExisting);
    for (let i = 0; i < 2; i++) await presets.grantPreset('ACME', granted);
    expect(await presets.listGrants()).toHaveLength(1);
    expect(await presets.resolvePreset('ACME', granted)).toEqual(acme);
    await expect(presets.resolvePreset('ACME', stranger)).rejects.toMatchObject({
      code: 'preset_not_allowed',
    });
    expect([await presets.revokeGrant('ACME', granted), await presets.revokeGrant('ACME', granted)]).toEqual([
      true,
      false,
    ]);
    await expect(presets.resolvePreset('ACME', granted)).rejects.toMatchObject({
      code: 'preset_not_allowed',
    });
  });

  it('is not needed for the studio’s preset, and cannot be made for an unknown preset', async () => {
    const keyId = await newKeyId();
    expect(await presets.resolvePreset('AI_STUDIO', keyId)).toEqual({ name: 'AI_STUDIO' });
    await expect(presets.resolvePreset('NOBODYS', keyId)).rejects.toMatchObject({ code: 'unknown_preset' });
    await expect(presets.grantPreset('NOBODYS', keyId)).rejects.toThrow();
  });

  it("is copied to the successor of its key, in addition to the successor's own grants", async () => {
    const [old, fresh] = [await newKeyId(), await newKeyId()];
    await presets.savePresets([acme, other], keepExisting);
    await presets.copyGrants(old, fresh);
    await presets.grantPreset('ACME', old);
    await presets.grantPreset('OTHER', old);
    await presets.grantPreset('OTHER', fresh);
    await presets.copyGrants(old, fresh);
    const keyIds = async (name: string) => (await presets.listGrants(name)).map(({ keyId }) => keyId);
    expect((await keyIds('ACME')).sort()).toEqual([old, fresh].sort());
    expect((await keyIds('OTHER')).sort()).toEqual([old, fresh].sort());
  });
});
