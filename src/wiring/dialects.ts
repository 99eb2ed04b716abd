/** Hands the interfaces of other services the conductors of our own calls. */
import { type RenderCharger, requireCredits } from '../accounts/charge-render.ts';
import { type CreditStore, fromMilli } from '../accounts/credit-store.ts';
import type { Config } from '../config.ts';
import { createDialectCutter, type DialectCutter } from '../dialects/cut-for-dialect.ts';
import { PackshotError } from '../errors.ts';
import type { HeicConverter } from '../workers/heic-converter.ts';
import type { Conductors } from './conductors.ts';
import { blamePhoto, type ImagingPool, priority } from './imaging.ts';

interface DialectParts extends Pick<Conductors, 'partCreator' | 'cutouts' | 'fetcher' | 'eraser'> {
  readonly imaging: ImagingPool;
  readonly heic: HeicConverter | undefined;
  readonly credits: CreditStore;
  readonly chargeRender: RenderCharger;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly reportError: (error: unknown, where: string) => void;
}

export function wireDialects({ dialects, designs, rendering }: Config, parts: DialectParts): DialectCutter {
  const { imaging, credits, eraser, reportError } = parts;

  async function eraseDesign(id: string, accountId: string): Promise<void> {
    if (dialects.keepDesigns) return;
    await eraser.eraseDesign(id, accountId).catch((error: unknown) => {
      // Expired or erased by someone else.
      if (!(error instanceof PackshotError && error.code === 'design_not_found'))
        reportError(error, 'eraser');
    });
  }

  return createDialectCutter({
    creator: parts.partCreator,
    cutouts: parts.cutouts,
    fetchImage: parts.fetcher.fetchImage,
    chargeRender: parts.chargeRender,
    requireCredits: async (purchase) => void (await requireCredits(credits, purchase)),
    async readCredits(keyId) {
      const { remainingMilli } = await credits.readQuota(keyId);
      return remainingMilli === null ? null : fromMilli(remainingMilli);
    },
    noteUpload: parts.noteUpload,
    toReadable: async (bytes, account, signal) =>
      parts.heic
        ? parts.heic.toReadable(bytes, designs.limits, { signal, priority: priority.inspect, account })
        : bytes,
    prepare: (photo, account, signal) =>
      imaging.run('preparePhoto', photo, { signal, priority: priority.inspect, account }).catch(blamePhoto),
    finish: (order, account, signal) =>
      imaging.run('finishCutout', order, { signal, priority: priority.generated, account }),
    eraseDesign,
    limits: designs.limits,
    deadlineMs: rendering.deadlineMs.generated,
  });
}
