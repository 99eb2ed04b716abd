/** Checks finished pictures against marketplaces' rules on this machine, for `packshot check` and for --check. */
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { ofAnySize } from '../../designs/image-limits.ts';
import { createPhotoInspector } from '../../designs/inspect-photo.ts';
import { asHeic, judgeAll, type ListingCheck } from '../../listing/check-listing.ts';
import { type MarketplaceId, marketplaceIds } from '../../listing/listing-rule.ts';
import { createHeicConverter } from '../../workers/heic-converter.ts';
import { openImagingPool } from '../../workers/pools.ts';
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

export interface PictureChecker {
  /** Rejects if the bytes are not a readable picture. */
  check(bytes: Uint8Array): Promise<ListingCheck>;
  close(): Promise<void>;
}

export function openPictureChecker(
  { designs: { limits, readsHeic } }: Config,
  marketplaces: readonly MarketplaceId[],
): PictureChecker {
  const pool = openImagingPool({ size: 1, maxWaiting: Number.POSITIVE_INFINITY });
  const heic = readsHeic ? createHeicConverter() : undefined;
  const inspector = createPhotoInspector({ imaging: pool.tasks, heic, limits });
  const task = { signal: new AbortController().signal, urgency: 'generated', account: undefined } as const;
  return {
    async check(bytes) {
      const readable = await inspector.toReadable(bytes, task);
      const measures = await pool.tasks.measurePicture({ bytes: readable, limits: ofAnySize(limits) }, task);
      return judgeAll(readable === bytes ? measures : asHeic(measures, bytes), marketplaces, null);
    },
    async close() {
      await Promise.all([pool.close(), heic?.close()]);
    },
  };
}
