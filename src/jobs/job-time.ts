/** The clock by which jobs are due. */
import { type RawBuilder, sql } from 'kysely';

/** Milliseconds since the epoch, `ms` from now. */
export type TimeFromNow = (ms: number) => RawBuilder<number>;

/** With several processes, the database's clock is used: machine clocks may differ. */
export const tellTime =
  (isShared: boolean, clock: () => number): TimeFromNow =>
  (ms) =>
    isShared
      ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(Math.round(ms))}`
      : sql`${clock() + Math.round(ms)}`;
