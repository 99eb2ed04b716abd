/** Lists the designs of an account, and the projects into which it groups them. Expired designs are left out. */
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../storage/database.ts';
import { updateRows } from '../storage/rows.ts';
import type { Schema } from '../storage/schema.ts';
import type { Design } from './design.ts';
import { toDesign } from './design-store.ts';

export interface Project {
  readonly name: string;
  readonly designs: number;
  /** When its first design was uploaded, and its last. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** A position in the list of designs: that of the last design of a page. */
export type DesignPosition = Pick<Design, 'id' | 'createdAt'>;

export type ProjectStore = ReturnType<typeof createProjectStore>;

export function createProjectStore(database: Database, { clock }: { readonly clock: () => number }) {
  const isLive = ({ or, eb }: ExpressionBuilder<Schema, 'designs'>) =>
    or([eb('expires_at', 'is', null), eb('expires_at', '>', clock())]);

  const projectsOf = (accountId: string, name?: string) =>
    database
      .selectFrom('designs')
      .select(({ fn }) => [
        'project as name',
        fn.countAll<number>().as('designs'),
        fn.min('created_at').as('first'),
        fn.max('created_at').as('last'),
      ])
      .where('account_id', '=', accountId)
      .where('project', 'is not', null)
      .$if(name !== undefined, (query) => query.where('project', '=', name!))
      .where(isLive)
      .groupBy('project')
      .orderBy('last', 'desc')
      .orderBy('name')
      .$narrowType<{ name: string }>();

  return {
    /** At most `limit` designs, newest first, that follow the position `after`. */
    async listDesigns(
      accountId: string,
      {
        project,
        after,
        limit,
      }: {
        readonly project?: string | undefined;
        readonly after?: DesignPosition | undefined;
        readonly limit: number;
      },
    ): Promise<Design[]> {
      const rows = await database
        .selectFrom('designs')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(isLive)
        .$if(project !== undefined, (query) => query.where('project', '=', project!))
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'id'), '<', tuple(after!.createdAt.getTime(), after!.id)),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toDesign);
    },

    /** The project with the newest design first. */
    async listProjects(accountId: string): Promise<Project[]> {
      return (await projectsOf(accountId).execute()).map(toProject);
    },

    async findProject(name: string, accountId: string): Promise<Project | undefined> {
      const row = await projectsOf(accountId, name).executeTakeFirst();
      return row && toProject(row);
    },

    /** If there is a project with the new name, the two become one. */
    async renameProject(name: string, newName: string, accountId: string): Promise<void> {
      const designs = { account_id: accountId, project: name };
      await updateRows(database, 'designs', { project: newName }, designs);
    },

    /** IDs of some designs of the project, including expired ones; none only if the project is empty. */
    async listSome(name: string, accountId: string): Promise<string[]> {
      const rows = await database
        .selectFrom('designs')
        .select('id')
        .where('account_id', '=', accountId)
        .where('project', '=', name)
        .limit(100)
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

/** PostgreSQL returns 64-bit numbers as text. */
function toProject(row: {
  name: string;
  designs: number | string;
  first: number | string;
  last: number | string;
}) {
  return {
    name: row.name,
    designs: Number(row.designs),
    firstAt: new Date(Number(row.first)),
    lastAt: new Date(Number(row.last)),
  };
}
