/** Arguments and options of `packshot keys`, and how their values are read. */
import { InvalidArgumentError } from 'commander';
import { type Scope, scopes } from '../../accounts/api-key.ts';
import { parseList, parseNumber, parseWhole } from '../shared/parse-options.ts';

export const defaultScopes: readonly Scope[] = ['upload', 'suggest', 'render'];
export const keyArgument = 'key_… id from `keys list`, or the name if no other key has it';

export const parseScopes = parseList('Scopes', scopes);
export const parseRate = parseNumber(0.1, 100_000);
export const parseBurst = parseWhole(1, 100_000);

/** At most three decimals, since credits are stored in thousandths. */
export function parseCredits(text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('Needs a number from 0 to 999999999, with at most three decimals.');
  return Number(text);
}

export function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Needs a number above 0.');
  return value;
}
