/** Checks whether an import would conflict with the target's own data. */

import { PackshotError } from '../errors.ts';
import type { Database } from '../storage/database.ts';
import { readShape } from './live-rows.ts';
import type { TransferSource } from './transfer-source.ts';

/** Throws `invalid_field` if the import would mix the data of two services, unless `merge` allows that. */
export async function admitImport(
  target: Database,
  source: TransferSource,
  { merge }: { readonly merge: boolean },
): Promise<void> {
  await readShape(target);
  const others = await listOtherAccounts(target, source);
  if (others.length > 0 && !merge) {
    throw new PackshotError(
      'invalid_field',
      `This service has ${others.length === 1 ? 'an account' : `${others.length} accounts`} of its own, such as ${others[0]}. Import before its first start, or keep both with --merge.`,
    );
  }
  await checkKeys(target, source);
}

async function listOtherAccounts(target: Database, source: TransferSource): Promise<string[]> {
  const coming = new Set<unknown>();
  for await (const page of source.rows('accounts')) for (const { id } of page) coming.add(id);
  const rows = await target.selectFrom('accounts').select('id').execute();
  return rows.map(({ id }) => id).filter((id) => !coming.has(id));
}

/** A key that exists on both sides, such as BOOTSTRAP_API_KEY, cannot belong to two accounts. */
async function checkKeys(target: Database, source: TransferSource): Promise<void> {
  for await (const page of source.rows('api_keys')) {
    const ids = new Map(page.map(({ hash, id }) => [String(hash), id]));
    const rows = await target
      .selectFrom('api_keys')
      .select(['id', 'hash', 'hint'])
      .where('hash', 'in', [...ids.keys()])
      .execute();
    const clash = rows.find(({ id, hash }) => ids.get(hash) !== id);
    if (!clash) continue;
    throw new PackshotError(
      'invalid_field',
      `The key ${clash.hint}… already belongs to another account here, as ${clash.id}. Import before the first start with this key.`,
    );
  }
}
