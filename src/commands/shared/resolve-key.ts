/** Finds a key given on the command line by id or name. */
import type { AccountStore } from '../../accounts/account-store.ts';
import type { ApiKey } from '../../accounts/api-key-row.ts';
import { PackshotError } from '../../errors.ts';

/** Throws `invalid_field` if no key or more than one key matches. A revoked key is found only by its id. */
export async function resolveKey(
  accounts: Pick<AccountStore, 'findKey' | 'listKeys'>,
  idOrName: string,
): Promise<ApiKey> {
  const byId = await accounts.findKey(idOrName);
  if (byId) return byId;
  const [key, ...others] = (await accounts.listKeys()).filter(
    ({ name, revokedAt }) => name === idOrName && !revokedAt,
  );
  if (!key) {
    throw new PackshotError(
      'invalid_field',
      `There is no key ${idOrName}; \`packshot keys list\` shows all of them.`,
    );
  }
  if (others.length === 0) return key;
  const ids = [key, ...others].map(({ id }) => id).join(', ');
  throw new PackshotError('invalid_field', `Several keys are named ${idOrName}. Use an id: ${ids}.`);
}
