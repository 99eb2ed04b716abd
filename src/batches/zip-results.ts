/** Streams the pictures of a batch as one ZIP, with one picture in memory at a time. */
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Batch, BatchItem } from './batch.ts';

/** Files are stored without compression, because pictures are already compressed. */
const stored = { compress: false, mode: 0o100644 } as const;

/**
 * The ZIP contains the manifest first, then each picture under its file name. If a picture cannot be read, the download
 * fails. If the client disconnects, the remaining pictures are not read.
 */
export function zipResults(
  batch: Batch,
  items: readonly BatchItem[],
  readResult: (item: BatchItem) => Promise<Uint8Array>,
): Readable {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream);
  zip.on('error', (error) => output.destroy(error as Error));
  const options = { ...stored, mtime: batch.endedAt ?? batch.createdAt };
  zip.addBuffer(Buffer.from(writeManifest(batch, items)), 'manifest.json', options);
  for (const item of items) {
    if (!item.result) continue;
    zip.addReadStreamLazy(item.fileName, { ...options, size: item.result.bytes }, (callback) => {
      readResult(item).then(
        (bytes) => callback(null, Readable.from([bytes])),
        (error) => callback(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return output;
}

function writeManifest(batch: Batch, items: readonly BatchItem[]): string {
  const manifest = {
    id: batch.id,
    createdAt: batch.createdAt.toISOString(),
    endedAt: batch.endedAt?.toISOString() ?? null,
    items: items.map(({ position, state, fileName, recipe, designId, result, failure }) => ({
      item: position,
      status: state,
      file: state === 'done' ? fileName : null,
      designId: designId ?? null,
      recipeId: recipe.recipeId,
      variant: recipe.variant,
      ...(result && result.warnings.length > 0 && { warnings: result.warnings }),
      ...(result?.checks && { checks: result.checks }),
      ...(failure && { error: failure }),
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
