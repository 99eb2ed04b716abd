/** Audit log of keys: who created, rotated or revoked which key, or changed its credits or rate. Append-only. */
import { newId } from '../ids.ts';
import type { Database, DatabaseOrTransaction } from '../storage/database.ts';
import { insertRow } from '../storage/rows.ts';
import type { KeyEventRow } from '../storage/schema.ts';

export interface KeyEvent {
  readonly keyId: string;
  readonly action: KeyEventRow['action'];
  /** A user of the operating system, or `service`. */
  readonly actor: string;
  /** For display; never contains a key. */
  readonly details: string | null;
  /** Time in milliseconds since 1970. */
  readonly at: number;
}

/** Requires the transaction of the change, so that change and event are stored together or not at all. */
export async function noteKeyEvent(
  transaction: DatabaseOrTransaction,
  { keyId, action, actor, details, at }: KeyEvent,
): Promise<void> {
  const row = { id: newId('evt'), key_id: keyId, action, actor, details, created_at: at };
  await insertRow(transaction, 'key_events', row);
}

/** Returns all events, oldest first. */
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
