/** The rows of illustrations: which design each was planned for, and the plan that its pixels are made from. */
import { createHash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { readScenePlan, type ScenePlan } from './scene-plan.ts';

export interface Illustration {
  readonly id: string;
  readonly designId: string;
  readonly accountId: string;
  readonly plan: ScenePlan;
}

export type IllustrationStore = ReturnType<typeof createIllustrationStore>;

export function createIllustrationStore(database: Database, clock: () => number) {
  return {
    /** The same plan for the same design is the same illustration, however often it is suggested. */
    async keepIllustrations(
      owner: Pick<Illustration, 'designId' | 'accountId'>,
      plans: readonly ScenePlan[],
    ): Promise<Illustration[]> {
      const illustrations = plans.map((plan): Illustration => {
        const digest = createHash('sha256')
          .update(JSON.stringify([owner.designId, plan]))
          .digest('hex');
        return { ...owner, id: `ill_${digest.slice(0, 32)}`, plan };
      });
      if (illustrations.length === 0) return [];
      await database
        .insertInto('illustrations')
        .values(
          illustrations.map(({ id, designId, accountId, plan }) => ({
            id,
            design_id: designId,
            account_id: accountId,
            plan: JSON.stringify(plan),
            created_at: clock(),
          })),
        )
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      return illustrations;
    },

    async findIllustration(id: string): Promise<Illustration | undefined> {
      const row = await database
        .selectFrom('illustrations')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return (
        row && {
          id: row.id,
          designId: row.design_id,
          accountId: row.account_id,
          plan: readScenePlan(JSON.parse(row.plan)),
        }
      );
    },
  };
}
