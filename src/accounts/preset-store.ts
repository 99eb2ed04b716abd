/** The presets that operators create, and the grants that let keys use them. Running services see changes at once. */
import { PackshotError } from 'packshot-errors';
import { aiStudio, isPresetName, type Preset, presetSchema } from '../recipes/presets.ts';
import type { Database } from '../storage/database.ts';
import { deleteRows, findRow } from '../storage/rows.ts';
import { transact } from '../storage/transact.ts';

export interface PresetGrant {
  readonly preset: string;
  readonly keyId: string;
  readonly createdAt: Date;
}

export type PresetStore = ReturnType<typeof createPresetStore>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createPresetStore(database: Database, clock: () => number) {
  async function listGrants(name?: string): Promise<PresetGrant[]> {
    const rows = await database
      .selectFrom('preset_grants')
      .selectAll()
      .$if(name !== undefined, (query) => query.where('preset', '=', name!))
      .orderBy('preset')
      .orderBy('created_at')
      .orderBy('key_id')
      .execute();
    return rows.map((row) => ({
      preset: row.preset,
      keyId: row.key_id,
      createdAt: new Date(Number(row.created_at)),
    }));
  }

  return {
    /** Saves all or none. Without `replace`, throws `invalid_field` if a name exists; with it, grants are kept. */
    async savePresets(presets: readonly Preset[], { replace }: { replace: boolean }): Promise<void> {
      await transact(database, async (transaction) => {
        for (const preset of presets) {
          const now = clock();
          const definition = JSON.stringify(preset);
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('presets')
            .values({ name: preset.name, definition, created_at: now, updated_at: now })
            .onConflict((conflict) => {
              const taken = conflict.column('name');
              return replace ? taken.doUpdateSet({ definition, updated_at: now }) : taken.doNothing();
            })
            .executeTakeFirstOrThrow();
          if (!numInsertedOrUpdatedRows) {
            throw new PackshotError(
              'invalid_field',
              `The preset ${preset.name} already exists; --replace overwrites it. Nothing was written.`,
            );
          }
        }
      });
    },

    /** Deletes a preset and its grants. Returns the IDs of keys with a grant, or undefined if there is no preset. */
    async removePreset(name: string): Promise<string[] | undefined> {
      return transact(database, async (transaction) => {
        // Delete the grants first, to return their keys: deleting the preset would delete the grants, too.
        const grants = await transaction
          .deleteFrom('preset_grants')
          .where('preset', '=', name)
          .returning('key_id')
          .execute();
        const hadPreset = await deleteRows(transaction, 'presets', { name });
        return hadPreset ? grants.map(({ key_id }) => key_id) : undefined;
      });
    },

    /** Returns all presets, sorted by name. */
    async listPresets(): Promise<Preset[]> {
      const rows = await database.selectFrom('presets').selectAll().orderBy('name').execute();
      return rows.map(toPreset);
    },

    async findPreset(name: string): Promise<Preset | undefined> {
      const row = await findRow(database, 'presets', { name });
      return row && toPreset(row);
    },

    /** Allows the key to use the preset. Idempotent. The key and the preset must exist. */
    async grantPreset(name: string, keyId: string): Promise<void> {
      await database
        .insertInto('preset_grants')
        .values({ preset: name, key_id: keyId, created_at: clock() })
        .onConflict((conflict) => conflict.columns(['preset', 'key_id']).doNothing())
        .execute();
    },

    /** Deletes a grant. Returns whether there was one. */
    async revokeGrant(name: string, keyId: string): Promise<boolean> {
      return (await deleteRows(database, 'preset_grants', { preset: name, key_id: keyId })) > 0;
    },

    /** Returns the grants of one preset, or of all presets. */
    listGrants,

    async copyGrants(fromKeyId: string, toKeyId: string): Promise<void> {
      await database
        .insertInto('preset_grants')
        .columns(['preset', 'key_id', 'created_at'])
        .expression((query) =>
          query
            .selectFrom('preset_grants')
            .select(({ val }) => ['preset', val(toKeyId).as('key_id'), 'created_at'])
            .where('key_id', '=', fromKeyId),
        )
        .onConflict((conflict) => conflict.columns(['preset', 'key_id']).doNothing())
        .execute();
    },

    /** Throws `unknown_preset`, or `preset_not_allowed` if the key has no grant for the preset. */
    async resolvePreset(name: string, keyId: string): Promise<Preset> {
      if (name === aiStudio.name) return aiStudio;
      if (!isPresetName(name)) throw unknownPreset();
      const row = await database
        .selectFrom('presets')
        .leftJoin('preset_grants', (join) =>
          join.onRef('preset_grants.preset', '=', 'presets.name').on('preset_grants.key_id', '=', keyId),
        )
        .select(['presets.name', 'presets.definition', 'preset_grants.key_id'])
        .where('presets.name', '=', name)
        .executeTakeFirst();
      if (!row) throw unknownPreset();
      if (row.key_id === null) {
        throw new PackshotError(
          'preset_not_allowed',
          `This key may not use the preset; the service's operator can grant it. Every key may use ${aiStudio.name}.`,
          { pointer: '/recipePreset' },
        );
      }
      return toPreset(row);
    },
  };
}

function unknownPreset(): PackshotError {
  const detail = `There is no preset with this name (names are case-sensitive). Every key may use ${aiStudio.name}.`;
  return new PackshotError('unknown_preset', detail, { pointer: '/recipePreset' });
}

/** Throws if the stored preset is invalid: written by another version, or changed by hand. */
function toPreset({ name, definition }: { name: string; definition: string }): Preset {
  try {
    return presetSchema.parse(JSON.parse(definition));
  } catch (cause) {
    throw new PackshotError(
      'internal',
      `The stored preset ${name} is not valid; the service's operator has to create it again, or remove it.`,
      { cause },
    );
  }
}
