/** The clock that decides when a job is due. */
import { type RawBuilder, sql } from 'kysely';

/** A point in time, `ms` milliseconds from now, in milliseconds since the epoch. */
export type TimeFromNow = (ms: number) => RawBuilder<number>;

/** If there are several processes, uses the database's clock, because the clocks of machines may differ. */
export const tellTime =
  (isShared: boolean, clock: () => number): TimeFromNow =>
  (ms) =>
    isShared
      ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(Math.round(ms))}`
      : sql`${clock() + Math.round(ms)}`;
