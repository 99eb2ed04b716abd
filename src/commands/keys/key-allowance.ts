/** `packshot keys credits` and `keys rate`: the credits and the rate limit of a key. */
import type { Command } from 'commander';
import { fromMilli } from '../../accounts/credit-store.ts';
import type { Rate } from '../../accounts/token-buckets.ts';
import { actor, resolveKey, withAccounts } from '../shared/open-stores.ts';
import { invalid } from '../shared/refuse.ts';
import { keyArgument, parseBurst, parseCredits, parseRate } from './key-options.ts';

export function addCredits(keys: Command): void {
  keys
    .command('credits')
    .description(
      'Show or change the credits of a key. Keys that replace each other by rotation share their credits.',
    )
    .argument('<key>', keyArgument)
    .option('--add <number>', 'add to the remaining credits', parseCredits)
    .option('--set <number>', 'set the remaining credits', parseCredits)
    .option('--unlimited', 'remove the limit')
    .action(async (named, { add, set, unlimited }) => {
      if ([add, set, unlimited].filter((one) => one !== undefined).length > 1) {
        throw invalid('Use only one of --add, --set and --unlimited.');
      }
      await withAccounts(async (accounts, _presets, credits) => {
        const { id, mode } = await resolveKey(accounts, named);
        if (mode === 'test') throw invalid('A sandbox key is free and has no credits.');
        if (add !== undefined) await credits.changeCredits(id, { add }, actor());
        else if (set !== undefined) await credits.changeCredits(id, { set }, actor());
        else if (unlimited) await credits.changeCredits(id, { set: null }, actor());
        const { remainingMilli, usedMilli } = await credits.readQuota(id);
        const left = remainingMilli === null ? 'no limit' : `${fromMilli(remainingMilli)} credits left`;
        console.log(`${id}: ${left}, ${fromMilli(usedMilli)} used.`);
      });
    });
}

export function addRate(keys: Command): void {
  keys
    .command('rate')
    .description('Show or change the rate limit of a key. A running service applies it immediately.')
    .argument('<key>', keyArgument)
    .argument('[per-second]', 'calls per second, sustained', parseRate)
    .option('--burst <number>', 'calls at once (default: twice the rate)', parseBurst)
    .option('--default', "use the service's rate again")
    .action(async (named, perSecond: number | undefined, options) => {
      if (options.default && (perSecond !== undefined || options.burst !== undefined)) {
        throw invalid('Use either a rate or --default.');
      }
      if (options.burst !== undefined && perSecond === undefined) {
        throw invalid('--burst needs a rate: `packshot keys rate KEY 5 --burst 10`.');
      }
      await withAccounts(async (accounts) => {
        const key = await resolveKey(accounts, named);
        let { rate } = key;
        if (perSecond !== undefined) rate = toRate(perSecond, options.burst);
        else if (options.default) rate = null;
        if (rate !== key.rate) await accounts.changeRate(key.id, rate);
        console.log(
          `${key.id}: ${rate ? describeRate(rate) : "the service's own rate (RATE_PER_SECOND, RATE_BURST)"}.`,
        );
      });
    });
}

/** The default burst has the same ratio to the rate as the service's own defaults. */
export const toRate = (perSecond: number, burst = Math.ceil(perSecond * 2)): Rate => ({ perSecond, burst });

const describeRate = ({ perSecond, burst }: Rate): string => `${perSecond} calls a second, burst ${burst}`;
