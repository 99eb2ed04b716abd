/** Arguments and options of `packshot keys`, and how their values are read. */
import { InvalidArgumentError } from 'commander';
import { type Scope, scopes } from '../../accounts/api-key.ts';

export const defaultScopes: readonly Scope[] = ['upload', 'suggest', 'render'];
export const keyArgument = 'key_… id from `keys list`, or the name if no other key has it';

export function parseScopes(text: string): readonly Scope[] {
  const wanted = text.split(/[\s,]+/).filter((scope) => scope !== '');
  for (const scope of wanted) {
    if (!scopes.some((known) => known === scope))
      throw new InvalidArgumentError(`Scopes are ${scopes.join(', ')}.`);
  }
  return wanted as Scope[];
}

/** At most three decimals, since credits are stored in thousandths. */
export function parseCredits(text: string): number {
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('Needs a number from 0 to 999999999, with at most three decimals.');
  return Number(text);
}

export function parseRate(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < 0.1 || value > 100_000)
    throw new InvalidArgumentError('Needs a number from 0.1 to 100000.');
  return value;
}

export function parseBurst(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > 100_000)
    throw new InvalidArgumentError('Needs a whole number from 1 to 100000.');
  return Number(text);
}

export function parsePositive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Needs a number above 0.');
  return value;
}

export function parsePositiveOrZero(text: string): number {
  return text.trim() === '0' ? 0 : parsePositive(text);
}
