/** Rate limits across all processes on one PostgreSQL: token buckets that use the database server's clock. */
import { sql } from 'kysely';
import type { Database } from '../storage/database.ts';
import {
  type BucketState,
  describeBucket,
  leastTokens,
  type Rate,
  type RateLimiter,
} from './token-buckets.ts';

/** At usual rates, a bucket is full again after this many seconds without use, so its row can be deleted. */
const forgottenAfterS = 3_600;

export function createSharedRates(database: Database, serviceRate: Rate) {
  const now = sql`extract(epoch from clock_timestamp()) * 1000`;
  /** Tokens in the bucket just before this call. If the clock jumps back, no tokens are removed. */
  const refill = ({ perSecond, burst }: Rate) =>
    sql`least(${burst}::float8, rates.tokens + greatest(0, ${now} - rates.updated_at) / 1000 * ${perSecond}::float8)`;
  return {
    async take(caller: string, own?: Rate): Promise<BucketState> {
      const rate = { ...serviceRate, ...own };
      const { burst } = rate;
      const refilled = refill(rate);
      const isAllowed = sql`${refilled} >= ${leastTokens(rate)}::float8`;
      const { rows } = await sql<{ tokens: number; allowed: number }>`
        insert into rates (caller, tokens, allowed, updated_at)
        values (${caller}, ${burst}::float8 - 1, 1, ${now})
        on conflict (caller) do update set
          allowed = case when ${isAllowed} then 1 else 0 end,
          tokens = ${refilled} - case when ${isAllowed} then 1 else 0 end,
          updated_at = ${now}
        returning tokens, allowed`.execute(database);
      const { tokens, allowed } = rows[0]!;
      return describeBucket(allowed === 1, tokens, rate);
    },

    async sweepRates(): Promise<void> {
      await sql`delete from rates where updated_at < ${now} - ${forgottenAfterS * 1000}::float8`.execute(
        database,
      );
    },
  } satisfies RateLimiter & { sweepRates(): Promise<void> };
}
