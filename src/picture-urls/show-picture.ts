/**
 * Coordinates the answer to a picture's URL: checks the signature, finds the design, and returns the stored picture or
 * renders it. Rendered pictures are stored beside their design, and deleted with it.
 */
import { createHash } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { ApiKey } from '../accounts/api-key.ts';
import type { RenderCharger } from '../accounts/charge-render.ts';
import type { DesignCreator } from '../designs/create-design.ts';
import { designBlobs } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { ImageFetcher } from '../designs/fetch-image.ts';
import type { DesignRenderer, StoredPictures } from '../rendering/render-design.ts';
import { canvasSize, contentTypes } from '../rendering/render-target.ts';
import { createSingleFlight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { type IllustrationNames, type RenderCall, toCall } from './order-picture.ts';
import { type PictureSource, readPath } from './picture-path.ts';
import type { SourceStore } from './source-store.ts';
import { refusedUrl, type UrlSigner } from './url-signer.ts';

interface Dependencies {
  readonly signer: Pick<UrlSigner, 'verify'>;
  readonly names: IllustrationNames;
  readonly designs: Pick<DesignStore, 'resolveDesign' | 'findDesign'>;
  readonly sources: SourceStore;
  readonly creator: DesignCreator;
  readonly fetcher: Pick<ImageFetcher, 'fetchImage'>;
  readonly blobs: BlobStore;
  readonly renderDesign: DesignRenderer;
  readonly chargeRender: RenderCharger;
  /** Hosts whose photos may be named in URLs; `*.example.com` stands for all hosts below `example.com`. */
  readonly sourceHosts: readonly string[];
  readonly clock: () => number;
}

export interface PictureRequest {
  readonly signature: string;
  /** What follows the signature, as it was sent. */
  readonly path: string;
  /** Value of the Accept header. */
  readonly accept: string;
  readonly knownEtags: readonly string[];
  readonly elapsedMs: number;
  readonly signal: AbortSignal;
}

export interface ShownPicture {
  readonly etag: string;
  /** Null if the caller already has the picture. */
  readonly bytes: Uint8Array | null;
  readonly contentType: string;
  /** Whether the Accept header decided the format. */
  readonly isNegotiated: boolean;
  /** How long caches may keep the picture, in seconds. */
  readonly maxAgeS: number;
}

/**
 * Longest time that caches keep a picture without asking, in seconds. A correction of the cutout, or the end of a key,
 * reaches a shop's visitors within this time.
 */
const CACHED_S = 3600;

export function createPictureShower(needs: Dependencies) {
  const { signer, names, designs, sources, creator, fetcher, blobs, clock } = needs;
  const shareFetch = createSingleFlight<string>();

  async function findDesign(source: PictureSource, key: ApiKey, signal: AbortSignal): Promise<string> {
    if ('designId' in source) return source.designId;
    const { url } = source;
    requireHost(url, needs.sourceHosts);
    const { accountId } = key;
    const known = await sources.findDesignId(accountId, url);
    if (known !== undefined && (await isThere(known, accountId))) return known;
    return shareFetch(`${accountId} ${url}`, { signal }, async (flight) => {
      const design = await creator.createDesign({
        accountId,
        signal: flight.signal,
        readPhoto: async () => ({
          bytes: await fetcher.fetchImage(url, { signal: flight.signal }),
          fileName: new URL(url).pathname.split('/').pop(),
          kindHint: undefined,
        }),
      });
      await sources.noteDesign(accountId, url, design.id);
      return design.id;
    });
  }

  async function isThere(designId: string, accountId: string): Promise<boolean> {
    try {
      return (await designs.resolveDesign(designId, accountId)).state !== 'failed';
    } catch (error) {
      if (error instanceof PackshotError && error.code === 'design_not_found') return false;
      throw error;
    }
  }

  function storedOf(designId: string, { target, variant }: RenderCall): StoredPictures {
    const { format, longEdgePx } = target;
    const shape = { contentType: contentTypes[format], ...canvasSize(variant, longEdgePx) };
    const keyOf = (etag: string) =>
      designBlobs.picture(
        designId,
        `${createHash('sha256').update(etag).digest('hex').slice(0, 32)}.${format}`,
      );
    return {
      async find(etag) {
        const bytes = await blobs.get(keyOf(etag));
        return bytes && { bytes, ...shape, warnings: [], timings: [] };
      },
      async keep(etag, { bytes }) {
        // A picture that cannot be stored, for example on a full disk, is still returned.
        await blobs.put(keyOf(etag), bytes).catch(() => undefined);
        // If the design was deleted while the picture was drawn, the picture must not stay.
        if (!(await designs.findDesign(designId))) await blobs.deleteAll(keyOf(etag));
      },
    };
  }

  /**
   * Throws `invalid_signature`, the errors of reading the path, of fetching a photo and of rendering; and `queue_full`
   * instead of `deadline_exceeded`, because the caller need only come back.
   */
  return async function showPicture(request: PictureRequest): Promise<ShownPicture> {
    const { signature, path, accept, knownEtags, signal } = request;
    const key = await signer.verify(signature, path);
    const order = readPath(path);
    const { exp } = order.options;
    const leftS = exp === undefined ? CACHED_S : exp - clock() / 1000;
    if (leftS <= 0) throw refusedUrl();
    const designId = await findDesign(order.source, key, signal);
    const { accountId, id: keyId } = key;
    const sandbox = key.mode === 'test';
    const call = toCall(order, { designId, accountId, sandbox }, names, accept);
    const { result } = await needs
      .chargeRender({ keyId, sandbox, size: call.target.name, mayBeKnown: true }, (claim) =>
        needs.renderDesign({
          ...{ designId, accountId, keyId, knownEtags, signal, claim, ...call },
          stored: storedOf(designId, call),
          elapsedMs: request.elapsedMs,
        }),
      )
      .catch(askAgain);
    return {
      etag: result.etag,
      bytes: result.picture?.bytes ?? null,
      contentType: contentTypes[call.target.format],
      isNegotiated: order.suffix === 'auto',
      maxAgeS: Math.floor(Math.min(CACHED_S, leftS)),
    };
  };
}

export type PictureShower = ReturnType<typeof createPictureShower>;

function requireHost(url: string, hosts: readonly string[]): void {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const isListed = hosts.some((each) =>
    each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each,
  );
  if (isListed) return;
  throw new PackshotError(
    'source_url_blocked',
    'Photos of this host may not be named in picture URLs; the operator lists hosts in SOURCE_HOSTS.',
  );
}

function askAgain(error: unknown): never {
  if (!(error instanceof PackshotError)) throw error;
  if (error.code === 'deadline_exceeded')
    throw new PackshotError('queue_full', 'The picture is being made; ask again.', {
      cause: error,
      retryAfterS: 5,
    });
  if (error.code === 'mutation_uri_rejected')
    throw new PackshotError('illustration_not_found', 'The scene of this picture was deleted.', {
      cause: error,
    });
  throw error;
}
