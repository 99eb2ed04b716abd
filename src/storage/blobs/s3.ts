/** The blob store for several machines: each blob is an object in a bucket of any S3-compatible store. */
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import PQueue from 'p-queue';
import { PackshotError } from 'packshot-errors';
import { type BlobEntry, type BlobStore, checkBlobKey } from '../blob-store.ts';
import { type Patience, patiently, readFault } from './patience.ts';

export interface S3Settings {
  readonly bucket: string;
  /** Prefix of all keys; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Undefined for AWS. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly pathStyle: boolean;
}

/** Undefined means the SDK's default chain: the environment, a profile, or the machine's role. */
export type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;

const connectWithinMs = 2_000;
/** If there is no traffic for this many milliseconds, a connection is closed, and its call is retried. */
const silentMs = 5_000;
const tries = 3;
/**
 * Maximum concurrent calls of one process, more than its uploads and renders need. Further calls queue here, not in the
 * SDK, which reports a long wait for a socket as a failed connection.
 */
const callsAtOnce = 64;
/**
 * Number of objects that are deleted in parallel. Each has its own call, because not every store accepts the SDK's
 * DeleteObjects (Swift requires a Content-MD5).
 */
const erasuresAtOnce = 8;
/** There is never a blob under this key; it is requested once to check the store when the store is opened. */
const probeKey = 'probe/none';

/**
 * Throws `storage_unavailable` if the SDK is not installed, or if the store reports a fault of the settings, such as a
 * missing bucket or refused credentials. A store that does not respond is not fatal: the service starts, reports the
 * fault at `/readyz`, and recovers once the store responds.
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
          // A 404 alone may come from any proxy. Only the store's own error code proves that there is no such blob.
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

/** Imported only when needed: blobs in a folder need no SDK, so an installation may omit it. */
async function loadSdk() {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (cause) {
    throw new PackshotError(
      'storage_unavailable',
      'BLOB_STORE=s3 needs an optional package that is not installed: run `npm ci --include=optional`.',
      { cause },
    );
  }
}

function clientOptionsOf({ endpoint, region, pathStyle }: S3Settings): S3ClientConfig {
  // Closes idle connections after this time, so that a connection that was lost silently is not used again.
  const agent = { keepAlive: true, maxSockets: callsAtOnce, timeout: silentMs };
  return {
    region,
    forcePathStyle: pathStyle,
    ...(endpoint && { endpoint }),
    maxAttempts: tries,
    // Many stores other than AWS do not support the SDK's extra checksums. Uploads do not need them: the request's
    // signature covers a hash of the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without this setting, each upload to a store that does not support `100-continue` would be delayed by 6 s.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectWithinMs,
      socketTimeout: silentMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
}

/** Throws only for faults that last until a setting is changed. */
function refuseWrongSettings({ cause }: PackshotError): void {
  const { name, status } = readFault(cause);
  const why =
    name === 'NoSuchBucket'
      ? 'S3_BUCKET names a bucket that does not exist'
      : name === 'CredentialsProviderError'
        ? 'no credentials were found; one way is to set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
        : status === 401 || status === 403
          ? 'the credentials are refused, or lack the permission to read and list S3_BUCKET'
          : status === 301 || status === 400
            ? 'S3_REGION or S3_ENDPOINT does not match S3_BUCKET'
            : undefined;
  if (why)
    throw new PackshotError('storage_unavailable', `The object store cannot be used: ${why}.`, { cause });
}
