/**
 * Authorizes the use of illustrations: a URI needs a valid signature and the account and design it was issued
 * for.
 */
import { PackshotError } from '../errors.ts';
import type { BackdropStore } from './backdrop-store.ts';
import type { Illustration } from './illustration.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { IllustrationSize, IllustrationUris } from './illustration-uri.ts';

interface Dependencies {
  readonly uris: IllustrationUris;
  readonly illustrations: IllustrationStore;
  readonly backdrops: BackdropStore;
}

export interface ShownIllustration {
  readonly illustration: Illustration;
  readonly size: IllustrationSize;
}

export function createIllustrationResolver({ uris, illustrations, backdrops }: Dependencies) {
  /** Undefined if the URI was altered, expired or is not ours, or the illustration was erased. */
  async function findClaimed(uri: string): Promise<ShownIllustration | undefined> {
    const claim = uris.read(uri);
    if (!claim) return undefined;
    const found = claim.id.startsWith('bdp_')
      ? await backdrops.findBackdrop(claim.id)
      : await illustrations.findIllustration(claim.id);
    if (!found || !(await uris.isValid(claim, found))) return undefined;
    if (found.kind !== 'backdrop') await illustrations.noteUse(found.id);
    return { illustration: found, size: claim.size };
  }

  return {
    /**
     * For any holder of the URI. Does not extend the expiry: a picture on a public page would keep a backdrop
     * forever.
     */
    findClaimed,

    /** Whether the URI has the format of ours, without verification. */
    isOurs: (uri: string): boolean => uris.read(uri) !== undefined,

    /**
     * For a render. Throws `mutation_uri_rejected` if the illustration belongs to another account or design,
     * or if the URI was altered or has expired.
     */
    async resolveForDesign(uri: string, designId: string, accountId: string): Promise<Illustration> {
      const found = (await findClaimed(uri))?.illustration;
      if (found?.accountId === accountId && (found.kind === 'backdrop' || found.designId === designId)) {
        if (found.kind === 'backdrop') await backdrops.touchBackdrop(found.id);
        return found;
      }
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued for this design, was altered, or has expired. Request new suggestions.',
      );
    },
  };
}

export type IllustrationResolver = ReturnType<typeof createIllustrationResolver>;
