import type { BlobStore } from '../blob-store.ts';
import { openFsBlobStore } from './fs.ts';
import { openS3BlobStore, type S3Settings } from './s3.ts';

export type BlobStoreSettings =
  | { readonly kind: 'fs'; readonly dataDir: string }
  | ({ readonly kind: 's3' } & S3Settings);

/** `alone`: no other process uses the same store. Throws `storage_unavailable`. */
export function openBlobStore(
  settings: BlobStoreSettings,
  { alone }: { readonly alone: boolean },
): Promise<BlobStore> {
  return settings.kind === 's3' ? openS3BlobStore(settings) : openFsBlobStore(settings.dataDir, { alone });
}
