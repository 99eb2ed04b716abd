/** Checks of finished pictures against marketplaces' rules, for `packshot check` and for --check. */
import type { Command } from 'commander';
import type { PackshotClient } from '../../../clients/typescript/src/packshot-client.ts';
import { type CheckSummary, type ListingCheck, summarizeChecks } from '../../listing/check-listing.ts';
import { type MarketplaceId, marketplaceIds } from '../../listing/marketplaces.ts';
import { parseList } from './parse-options.ts';

export interface CheckOptions {
  readonly check?: readonly MarketplaceId[];
}

export function addCheckOption(command: Command): Command {
  return command.option(
    '--check <marketplaces>',
    `check each picture for ${marketplaceIds.join(', ')} (separate several with commas)`,
    parseMarketplaces,
  );
}

export const parseMarketplaces = parseList('Marketplaces', marketplaceIds);

/** Verdicts for a report. Rejects if the bytes are not a readable picture. */
export async function checkPicture(
  client: PackshotClient,
  picture: Uint8Array,
  marketplaces: readonly MarketplaceId[] | undefined,
): Promise<CheckSummary[] | undefined> {
  if (marketplaces === undefined) return undefined;
  return summarizeChecks((await client.checkPicture(picture, { marketplaces })) as ListingCheck);
}
