/** Who may use which illustration: a URI is believed only with its signature, and only for whom it was issued. */
import { PackshotError } from '../errors.ts';
import type { BackdropStore } from './backdrop-store.ts';
import type { Illustration } from './illustration.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { IllustrationSize, IllustrationUris } from './illustration-uri.ts';

interface Needs {
  readonly uris: IllustrationUris;
  readonly illustrations: IllustrationStore;
  readonly backdrops: BackdropStore;
}

export interface ShownIllustration {
  readonly illustration: Illustration;
  readonly size: IllustrationSize;
}

export function createIllustrationResolver({ uris, illustrations, backdrops }: Needs) {
  /** Undefined for what was altered, is over, was erased, or was never ours. */
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
    /** For any holder of the URI. Renews nothing: a picture on a public page would keep a backdrop forever. */
    findClaimed,

    /** Whether the URI has the shape of those that we issue, whoever's it is. */
    isOurs: (uri: string): boolean => uris.read(uri) !== undefined,

    /** For a render: throws `mutation_uri_rejected` for what is not this account's, not this design's, altered or over. */
    async resolveForDesign(uri: string, designId: string, accountId: string): Promise<Illustration> {
      const found = (await findClaimed(uri))?.illustration;
      if (found?.accountId === accountId && (found.kind === 'backdrop' || found.designId === designId)) {
        if (found.kind === 'backdrop') await backdrops.touchBackdrop(found.id);
        return found;
      }
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued for this design, was altered, or has expired. Ask for suggestions anew.',
      );
    },
  };
}

export type IllustrationResolver = ReturnType<typeof createIllustrationResolver>;
