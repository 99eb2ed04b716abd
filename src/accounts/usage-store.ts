/** Usage per key and UTC day. Separate from credits, because usage also counts what was free. */
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { UsageDayRow } from '../storage/schema.ts';
import { transact } from '../storage/transact.ts';

type Counted = Partial<Omit<UsageDayRow, 'key_id' | 'day'>>;

/** A day's usage, with the name of the key. */
export type UsageOfDay = UsageDayRow & { readonly name: string };

/** How long rows of single engine calls are kept: longer than the 30 days to which budgets apply. */
const engineCallsKeptMs = 31 * 86_400_000;

export function createUsageStore(database: Database, clock: () => number) {
  return {
    /** Adds old engine calls to the usage of their days, and deletes their rows to save space. */
    async sweepEngineCalls(): Promise<void> {
      await transact(database, async (transaction) => {
        const calls = await transaction
          .deleteFrom('engine_calls')
          .where('created_at', '<', clock() - engineCallsKeptMs)
          .returning(['key_id', 'cost_usd', 'created_at'])
          .execute();
        for (const { key_id: keyId, cost_usd, created_at } of calls) {
          const spent = { engine_calls: 1, engine_cost_usd: cost_usd };
          await addUsage(transaction, { keyId, at: Number(created_at) }, spent);
        }
      });
    },

    async noteUpload(keyId: string): Promise<void> {
      await addUsage(database, { keyId, at: clock() }, { uploads: 1 });
    },

    /** Returns the usage from `from` to `to`, both inclusive, sorted by day and then by key. */
    async listUsage(from: string, to: string): Promise<UsageOfDay[]> {
      const days = await database
        .selectFrom('usage_days')
        .selectAll()
        .where('day', '>=', from)
        .where('day', '<=', to)
        .execute();
      const calls = await database
        .selectFrom('engine_calls')
        .select(['key_id', 'cost_usd', 'created_at'])
        .where('created_at', '>=', Date.parse(`${from}T00:00:00Z`))
        .where('created_at', '<', Date.parse(`${to}T00:00:00Z`) + 86_400_000)
        .execute();
      const keys = await database.selectFrom('api_keys').select(['id', 'name']).execute();
      const names = new Map(keys.map(({ id, name }) => [id, name]));
      const rows = new Map<string, UsageOfDay>();
      const rowOf = (day: string, key_id: string) => {
        const row = rows.get(`${day} ${key_id}`) ?? {
          ...nothing,
          day,
          key_id,
          name: names.get(key_id) ?? '',
        };
        rows.set(`${day} ${key_id}`, row);
        return row;
      };
      for (const one of days) Object.assign(rowOf(one.day, one.key_id), one);
      for (const { key_id, cost_usd, created_at } of calls) {
        const row = rowOf(dayOf(Number(created_at)), key_id);
        row.engine_calls++;
        row.engine_cost_usd += cost_usd;
      }
      return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    },
  };
}

const nothing = {
  uploads: 0,
  previews: 0,
  full_versions: 0,
  credits_milli: 0,
  engine_calls: 0,
  engine_cost_usd: 0,
};

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export async function addUsage(
  transaction: DatabaseOrTransaction,
  { keyId, at }: { readonly keyId: string; readonly at: number },
  counted: Counted,
): Promise<void> {
  const first = { ...nothing, ...counted };
  const entries = Object.entries(counted) as [keyof Counted, number][];
  await transaction
    .insertInto('usage_days')
    .values({ key_id: keyId, day: dayOf(at), ...first })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'day'])
        .doUpdateSet(({ eb, ref }) =>
          Object.fromEntries(
            entries.map(([column, more]) => [column, eb(ref(`usage_days.${column}`), '+', more)]),
          ),
        ),
    )
    .execute();
}
