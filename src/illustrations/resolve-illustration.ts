/**
 * Decides who may use an illustration. Its signed URI is enough to view it. A render may use it only for the account
 * that owns it and, unless it is the account's own backdrop, only for its design.
 */
import { PackshotError } from 'packshot-errors';
import type { BackdropStore } from './backdrop-store.ts';
import type { Backdrop, Illustration, LookPicture } from './illustration.ts';
import { type IllustrationStore, maxPerDesign } from './illustration-store.ts';
import type { IllustrationSize, IllustrationUris } from './illustration-uri.ts';

interface Dependencies {
  readonly uris: IllustrationUris;
  readonly illustrations: IllustrationStore;
  readonly backdrops: BackdropStore;
  /** Finds the picture of a look (a saved scene or recipe), whichever account it belongs to. */
  readonly findLookPicture: (id: string) => Promise<LookPicture | undefined>;
}

export interface ShownIllustration {
  readonly illustration: Illustration;
  readonly size: IllustrationSize;
}

export function createIllustrationResolver(needs: Dependencies) {
  const { uris, illustrations, backdrops, findLookPicture } = needs;

  function find(id: string): Promise<Illustration | undefined> {
    if (id.startsWith('bdp_')) return backdrops.findBackdrop(id);
    return id.startsWith('Look_') ? findLookPicture(id) : illustrations.findIllustration(id);
  }

  /** Returns undefined if the URI was altered, has expired or is not ours, or if the illustration was deleted. */
  async function findClaimed(uri: string): Promise<ShownIllustration | undefined> {
    const claim = uris.read(uri);
    if (!claim) return undefined;
    const found = await find(claim.id);
    if (!found || !(await uris.isValid(claim, found))) return undefined;
    if (found.kind === 'scene' || found.kind === 'plain') await illustrations.noteUse(found.id);
    return { illustration: found, size: claim.size };
  }

  return {
    /**
     * For anyone who holds the URI. Does not extend a backdrop's expiry; otherwise, public views could keep the
     * backdrop forever.
     */
    findClaimed,

    /** Whether the URI has the format of our own URIs; does not verify the signature. */
    isOurs: (uri: string): boolean => uris.read(uri) !== undefined,

    /** The account's own upload, given its URI or its id. Throws `mutation_uri_rejected`. */
    async resolveUpload(reference: string, accountId: string): Promise<Backdrop> {
      const id = uris.read(reference)?.id ?? reference;
      const found = id.startsWith('bdp_') ? await backdrops.findBackdrop(id) : undefined;
      if (found?.accountId !== accountId)
        throw new PackshotError(
          'mutation_uri_rejected',
          'Your account has no uploaded picture with this URI: it was altered, was deleted or has expired. Upload it again.',
        );
      await backdrops.touchBackdrop(id);
      return found;
    },

    /**
     * For a render. Throws `mutation_uri_rejected` if the URI is invalid, or of another account or design, and
     * `illustration_dropped` if newer suggestions have replaced the illustration.
     */
    async resolveForDesign(uri: string, designId: string, accountId: string): Promise<Illustration> {
      const found = (await findClaimed(uri))?.illustration;
      if (found?.accountId === accountId && (found.kind === 'backdrop' || found.designId === designId)) {
        if (found.kind === 'backdrop') await backdrops.touchBackdrop(found.id);
        return found;
      }
      const claim = found ? undefined : uris.read(uri);
      if (claim && (await uris.isValid(claim, { id: claim.id, designId, accountId })))
        throw new PackshotError(
          'illustration_dropped',
          `A design keeps the latest ${maxPerDesign} illustrations, and those that were viewed or rendered; this one was dropped. Request the suggestions again.`,
        );
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued for this design, was altered, or has expired. Request new suggestions.',
      );
    },
  };
}

export type IllustrationResolver = ReturnType<typeof createIllustrationResolver>;
