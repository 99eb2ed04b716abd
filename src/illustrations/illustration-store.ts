/** Database rows of suggested illustrations: scenes with their plans, and plain recipes. */
import { createHash } from 'node:crypto';
import { readScenePlan, type ScenePlan } from 'packshot-studio';
import { type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';
import type { Database } from '../storage/database.ts';
import { findRow, updateRows } from '../storage/rows.ts';
import type { IllustrationRow } from '../storage/schema.ts';
import { illustrationRowBytes } from '../storage/stored-bytes.ts';
import type { DesignIllustration } from './illustration.ts';
import type { BriefParts } from './painting/write-brief.ts';

/** The stored content of an illustration. Plain recipes are resolved again from the catalogue on each read. */
export type IllustrationContent =
  | { readonly plan: ScenePlan; readonly brief: BriefParts }
  | { readonly plain: RecipeRequest };

export type IllustrationStore = ReturnType<typeof createIllustrationStore>;

/** Maximum unused illustrations per design: enough for more than 20 suggestion calls, each with another prompt. */
export const maxPerDesign = 200;

interface Options {
  /** Called with the number of bytes by which a design's rows have grown; negative if rows were dropped. */
  readonly onGrown?: (designId: string, bytes: number) => void;
  /** Called with the illustrations that were dropped because newer ones were added. */
  readonly onDropped?: (designId: string, ids: readonly string[]) => void;
}

export function createIllustrationStore(
  database: Database,
  clock: () => number,
  { onGrown, onDropped }: Options = {},
) {
  /**
   * Drops the oldest illustrations beyond the limit. Keeps those that are used or just suggested, and those with a
   * painting that has not failed.
   */
  async function dropOldest(designId: string, suggested: readonly string[]): Promise<void> {
    const rows = await database
      .selectFrom('illustrations')
      .leftJoin('paintings', 'paintings.illustration_id', 'illustrations.id')
      .select(['illustrations.id', 'used_at', 'paintings.state', illustrationRowBytes.as('bytes')])
      .where('design_id', '=', designId)
      .orderBy('illustrations.created_at', 'desc')
      .execute();
    const dropped = rows
      .slice(maxPerDesign)
      .filter(
        ({ id, used_at, state }) =>
          used_at === null && (state === null || state === 'failed') && !suggested.includes(id),
      );
    if (dropped.length === 0) return;
    const ids = dropped.map(({ id }) => id);
    await database.deleteFrom('illustrations').where('id', 'in', ids).where('used_at', 'is', null).execute();
    onGrown?.(designId, -dropped.reduce((sum, { bytes }) => sum + Number(bytes), 0));
    onDropped?.(designId, ids);
  }

  return {
    /**
     * Idempotent: the same content for the same design is the same illustration. The brief (the parts of an engine's
     * prompt) belongs to the content, because engines paint from it.
     */
    async keepIllustrations(
      owner: Pick<DesignIllustration, 'designId' | 'accountId'>,
      contents: readonly IllustrationContent[],
    ): Promise<DesignIllustration[]> {
      if (contents.length === 0) return [];
      const rows = contents.map((content): IllustrationRow => {
        const stored = 'plan' in content ? content.plan : content;
        const brief = 'plan' in content ? JSON.stringify(content.brief) : null;
        const digest = createHash('sha256')
          .update(JSON.stringify([owner.designId, stored, brief]))
          .digest('hex');
        return {
          id: `ill_${digest.slice(0, 32)}`,
          design_id: owner.designId,
          account_id: owner.accountId,
          plan: JSON.stringify(stored),
          brief,
          created_at: clock(),
          used_at: null,
        };
      });
      const added = await database
        .insertInto('illustrations')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning(illustrationRowBytes.as('bytes'))
        .execute();
      if (added.length > 0) {
        onGrown?.(
          owner.designId,
          added.reduce((sum, { bytes }) => sum + Number(bytes), 0),
        );
        await dropOldest(
          owner.designId,
          rows.map(({ id }) => id),
        );
      }
      return rows.map(toIllustration);
    },

    /** Marks an illustration as viewed or rendered, so that it is kept as long as the design. */
    async noteUse(id: string): Promise<void> {
      const unused = { id, used_at: null };
      // A read must not fail because the disk is full or read-only.
      await updateRows(database, 'illustrations', { used_at: clock() }, unused).catch(() => undefined);
    },

    async findIllustration(id: string): Promise<DesignIllustration | undefined> {
      const row = await findRow(database, 'illustrations', { id });
      return row && toIllustration(row);
    },
  };
}

function toIllustration(row: IllustrationRow): DesignIllustration {
  const base = { id: row.id, designId: row.design_id, accountId: row.account_id };
  const stored = JSON.parse(row.plan);
  return stored.plain
    ? { ...base, kind: 'plain', plan: resolveRecipe(stored.plain), mutations: stored.plain.mutations ?? {} }
    : {
        ...base,
        kind: 'scene',
        plan: readScenePlan(stored),
        brief: row.brief === null ? undefined : JSON.parse(row.brief),
      };
}
