/** The blob store past one machine: one object a blob in a bucket of any S3-compatible store. */
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import { PackshotError } from '../../errors.ts';
import { type BlobEntry, type BlobStore, checkBlobKey } from '../blob-store.ts';
import { storageFull, storageUnavailable } from '../storage-errors.ts';

export interface S3Settings {
  readonly bucket: string;
  /** What all keys begin with: empty, or ending in a slash. */
  readonly prefix: string;
  /** Undefined for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly pathStyle: boolean;
}

/** Undefined: wherever the SDK looks, which is the environment, a profile, the role of the machine. */
export type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;

const connectWithinMs = 2_000;
/** A connection on which nothing moves for so long is given up, and the call tried again. */
const silentMs = 5_000;
const tries = 3;
/** The wait for a turn and all tries of a call together: within what callers of the service wait, a preview its 10 s. */
const answerWithinMs = 9_000;
/** Beyond that for the bytes themselves; a store that moves less than this in a millisecond counts as away. */
const bytesPerMs = 1_000;
/**
 * Of one process: more than its uploads and renders want. What comes beyond waits here and not for a connection, since
 * the SDK counts that wait as the store's failure to take one.
 */
const callsAtOnce = 64;
/** Single calls side by side: not every store takes DeleteObjects as the SDK sends it (Swift wants a Content-MD5). */
const erasuresAtOnce = 8;
/** Asked for at the opening; never there. */
const probeKey = 'probe/none';

/**
 * Throws `storage_unavailable` where the store says that this cannot work: no such bucket, keys refused. A store that
 * does not answer is no reason to fail: a service that starts while it is away is there when it comes back, and says
 * so at `/readyz` until then.
 */
export async function openS3BlobStore(settings: S3Settings, credentials?: S3Credentials): Promise<BlobStore> {
  const { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } =
    await loadSdk();
  const client = new S3Client({ ...clientOptionsOf(settings), ...(credentials && { credentials }) });
  const Bucket = settings.bucket;
  const calls = new PQueue({ concurrency: callsAtOnce });
  const erasing = new PQueue({ concurrency: erasuresAtOnce });
  const call = <T>(work: (patience: Patience) => Promise<T>): Promise<T> =>
    patiently((patience) => calls.add(() => work(patience), { signal: patience.signal }));

  const nameOf = (key: string) => {
    checkBlobKey(key);
    return `${settings.prefix}${key}`;
  };

  const erase = (name: string) =>
    call(({ signal }) =>
      client.send(new DeleteObjectCommand({ Bucket, Key: name }), { abortSignal: signal }),
    );

  async function* listPages(prefix: string) {
    let from: string | undefined;
    do {
      const ContinuationToken = from;
      const page = await call(({ signal }) =>
        client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: `${prefix}/`,
            ...(ContinuationToken && { ContinuationToken }),
          }),
          { abortSignal: signal },
        ),
      );
      yield page.Contents ?? [];
      from = page.NextContinuationToken;
    } while (from !== undefined);
  }

  const blobs: BlobStore = {
    async put(key, bytes) {
      const Key = nameOf(key);
      const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      await call(({ signal, allowFor }) => {
        allowFor(Body.length);
        return client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }), {
          abortSignal: signal,
        });
      });
    },

    async get(key) {
      const Key = nameOf(key);
      return call(async ({ signal, allowFor }) => {
        try {
          const { Body, ContentLength = 0 } = await client.send(new GetObjectCommand({ Bucket, Key }), {
            abortSignal: signal,
          });
          allowFor(ContentLength);
          const { buffer, byteOffset, byteLength } = await Body!.transformToByteArray();
          return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
        } catch (error) {
          // A bare 404 may come from anything in between: only the store itself can say that there is no such blob.
          if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
          throw error;
        }
      });
    },

    async deleteAll(prefix) {
      const name = nameOf(prefix);
      await erase(name);
      for await (const page of listPages(name)) {
        await erasing.addAll(
          page.map(
            ({ Key = '' }) =>
              () =>
                erase(Key),
          ),
        );
      }
    },

    async *list(prefix) {
      for await (const page of listPages(nameOf(prefix))) {
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page) {
          yield {
            key: Key.slice(settings.prefix.length),
            bytes: Size,
            modifiedAt: LastModified,
          } satisfies BlobEntry;
        }
      }
    },
  };

  await blobs.get(probeKey).catch(refuseWrongSettings);
  return blobs;
}

/** Loaded when it is wanted: the embedded mode has no use for it, and an installation may leave it out. */
async function loadSdk() {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new PackshotError(
      'storage_unavailable',
      'BLOB_STORE=s3 needs a part that this installation left out: run `npm ci --include=optional`.',
      { cause },
    );
  }
}

function clientOptionsOf({ endpoint, region, pathStyle }: S3Settings): S3ClientConfig {
  // Idle connections are kept no longer than silent ones: those that died without a word are gone when they are wanted.
  const agent = { keepAlive: true, maxSockets: callsAtOnce, timeout: silentMs };
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint && { endpoint }),
    maxAttempts: tries,
    // Stores other than AWS know no other checksum than that of the signature, which every body has.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A store that does not know `100-continue` would keep every upload waiting for 6 s.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectWithinMs,
      socketTimeout: silentMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}

interface Patience {
  readonly signal: AbortSignal;
  /** Time on top, for so many bytes. */
  allowFor(bytes: number): void;
}

/** Throws `storage_full` or `storage_unavailable`, at the latest when patience ends. */
async function patiently<T>(work: (patience: Patience) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const began = performance.now();
  const endAt = (ms: number) => setTimeout(() => controller.abort(), ms - (performance.now() - began));
  let timer = endAt(answerWithinMs);
  try {
    return await work({
      signal: controller.signal,
      allowFor(bytes) {
        clearTimeout(timer);
        timer = endAt(answerWithinMs + bytes / bytesPerMs);
      },
    });
  } catch (error) {
    const { name, status } = readFault(error);
    // Quotas have no name that all stores share: QuotaExceeded (Ceph), XMinioStorageFull, XMinioAdminBucketQuotaExceeded.
    throw status === 507 || /quota|storagefull/i.test(name) ? storageFull(error) : storageUnavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** `status` is 0 where the store did not answer. */
function readFault(error: unknown): { readonly name: string; readonly status: number } {
  if (!(error instanceof Error)) return { name: '', status: 0 };
  const { httpStatusCode: status = 0 } =
    (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return { name: error.name, status };
}

/** Only what will not pass by itself. */
function refuseWrongSettings({ cause }: PackshotError): void {
  const { name, status } = readFault(cause);
  const why =
    name === 'NoSuchBucket'
      ? 'S3_BUCKET names a bucket that is not there'
      : name === 'CredentialsProviderError'
        ? 'there are no keys for it; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are one way to give them'
        : status === 401 || status === 403
          ? 'it refuses these keys, or the right to get and list what is in S3_BUCKET'
          : status === 301 || status === 400
            ? 'S3_REGION or S3_ENDPOINT is not the one of S3_BUCKET'
            : undefined;
  if (why)
    throw new PackshotError('storage_unavailable', `The object store cannot be used: ${why}.`, { cause });
}
