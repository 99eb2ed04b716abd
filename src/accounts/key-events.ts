/** Audit log of keys: who created, rotated and revoked which key, and changed its credits. Append-only. */
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import type { KeyEventRow } from '../storage/schema.ts';

export interface KeyEvent {
  readonly keyId: string;
  readonly action: KeyEventRow['action'];
  /** An operating system user, or `service`. */
  readonly actor: string;
  /** For display; never contains a key. */
  readonly details: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Takes the transaction of the change, so that change and event are stored together or not at all. */
export async function noteKeyEvent(
  transaction: DatabaseOrTransaction,
  { keyId, action, actor, details, at }: KeyEvent,
): Promise<void> {
  await transaction
    .insertInto('key_events')
    .values({ id: newId('evt'), key_id: keyId, action, actor, details, created_at: at })
    .execute();
}

/** Oldest first. */
export async function listKeyEvents(database: Database): Promise<KeyEvent[]> {
  const rows = await database.selectFrom('key_events').selectAll().orderBy('created_at').execute();
  return rows.map((row) => ({
    keyId: row.key_id,
    action: row.action,
    actor: row.actor,
    details: row.details,
    at: Number(row.created_at),
  }));
}
