/** The rows of what was suggested for designs: scenes with their plans, and plain recipes. */
import { createHash } from 'node:crypto';
import { type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';
import type { Database } from '../storage/database.ts';
import type { IllustrationRow } from '../storage/schema.ts';
import type { PlainIllustration, SceneIllustration } from './illustration.ts';
import { readScenePlan, type ScenePlan } from './scene-plan.ts';
import type { BriefParts } from './write-brief.ts';

/** What is stored of an illustration; a plain one is resolved from the catalogue whenever it is read. */
export type IllustrationContent =
  | { readonly plan: ScenePlan; readonly brief: BriefParts }
  | { readonly plain: RecipeRequest };

type DesignIllustration = SceneIllustration | PlainIllustration;

export type IllustrationStore = ReturnType<typeof createIllustrationStore>;

export function createIllustrationStore(database: Database, clock: () => number) {
  return {
    /** The same content for the same design is the same illustration, however often it is suggested; words count, as engines paint them. */
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
        };
      });
      await database
        .insertInto('illustrations')
        .values(rows)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return rows.map(toIllustration);
    },

    async findIllustration(id: string): Promise<DesignIllustration | undefined> {
      const row = await database
        .selectFrom('illustrations')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
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
