/** Conductor of an illustration: believed only with its signature, stored or drawn now, and never drawn twice at once. */
import { designBlobs } from '../designs/design.ts';
import { PackshotError } from '../errors.ts';
import type { IllustrationClaim, IllustrationUris } from '../recipes/illustration-uri.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Illustration, IllustrationStore } from './illustration-store.ts';
import type { ScenePlan } from './scene-plan.ts';

interface Needs {
  readonly illustrations: IllustrationStore;
  readonly uris: IllustrationUris;
  readonly blobs: BlobStore;
  /** The empty set as WebP, in a process that may die. */
  readonly drawPlate: (
    plan: ScenePlan,
    size: IllustrationClaim['size'],
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
}

export function createIllustrationKeeper({ illustrations, uris, blobs, drawPlate }: Needs) {
  const drawing = new Map<string, Promise<Uint8Array>>();

  async function drawAndKeep(
    key: string,
    plan: ScenePlan,
    size: IllustrationClaim['size'],
    signal: AbortSignal,
  ) {
    const bytes = await drawPlate(plan, size, signal);
    await blobs.put(key, bytes);
    return bytes;
  }

  return {
    /** For a render: throws `mutation_uri_rejected` for what is not this account's, not this design's, altered or over. */
    async resolveIllustration(uri: string, designId: string, accountId: string): Promise<Illustration> {
      const claim = uris.read(uri);
      const found = claim && (await illustrations.findIllustration(claim.id));
      if (
        found &&
        found.designId === designId &&
        found.accountId === accountId &&
        uris.isValid(claim, found)
      ) {
        return found;
      }
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued for this design, was altered, or has expired. Ask for suggestions anew.',
      );
    },

    /** For a browser: undefined for whatever may not be shown. */
    async showIllustration(path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
      const claim = uris.read(path);
      const found = claim && (await illustrations.findIllustration(claim.id));
      if (!found || !uris.isValid(claim, found)) return undefined;
      const key = designBlobs.illustration(found.designId, found.id, claim.size);
      const stored = await blobs.get(key);
      if (stored) return stored;
      const running =
        drawing.get(key) ??
        drawAndKeep(key, found.plan, claim.size, signal).finally(() => drawing.delete(key));
      drawing.set(key, running);
      return running;
    },
  };
}

export type IllustrationKeeper = ReturnType<typeof createIllustrationKeeper>;
