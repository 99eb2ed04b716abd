/** Access to a running service: the options that select the service, and uploads of photos to it. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type CutDesign,
  createPackshotClient,
  type Design,
  type PackshotClient,
} from '../../../clients/typescript/src/packshot-client.ts';
import { openPhoto, type Photo, readStandardInput } from '../photo-run/find-photos.ts';
import type { KnownRecipe } from '../photo-run/picture-target.ts';

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

/** Timeout per attempt: a call waits for its turn for up to four minutes. */
const timeoutMs = 300_000;
/**
 * The delays double, beginning with up to half a second, and add up to 16 to 32 s: long enough for a service to
 * restart. The service may request longer delays.
 */
const maxRetries = 6;
/** Maximum wait for the deletion of a photo after the command has finished with it. */
const farewellMs = 5_000;

export function addServerOptions(command: Command): Command {
  return command
    .option('--server <url>', 'use a running service; no model is needed on this machine', parseServer)
    .addOption(new Option('--key <secret>', 'API key for --server').env('PACKSHOT_API_KEY'));
}

function parseServer(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('Needs the URL of a service, such as http://127.0.0.1:8080.');
}

export interface Service {
  readonly client: PackshotClient;
  readonly recipes: readonly KnownRecipe[];
  readonly maxBytes: number;
  /** Concurrent calls that a command may make. */
  readonly calls: number;
  /** Stops the service and deletes its data, if it is this command's own. */
  close(): Promise<void>;
}

/** Half of a service's default limit of concurrent calls, because others may use the same key. */
const callsElsewhere = 4;

/**
 * Asks the given service for its limits, which also shows, before the first photo is sent, that the service is
 * reachable and accepts the key. Undefined if no service is given.
 */
export async function askService(
  { server, key }: ServerOptions,
  command: Command,
): Promise<Service | undefined> {
  if (server === undefined) return undefined;
  if (key === undefined) {
    return command.error('error: --server needs --key, or PACKSHOT_API_KEY in the environment.', {
      exitCode: 2,
    });
  }
  const open = (tries: number) =>
    createPackshotClient({ baseUrl: server, apiKey: key, timeoutMs, maxRetries: tries });
  try {
    // Only one retry, so that a wrong address is reported soon.
    return { ...(await describeService(open(1))), client: open(maxRetries) };
  } catch (error) {
    return command.error(`error: ${(error as Error).message}`, { exitCode: 1, code: 'packshot.service' });
  }
}

export async function describeService(client: PackshotClient): Promise<Service> {
  const [recipes, limits] = await Promise.all([client.recipes(), client.limits()]);
  const calls = Math.min(callsElsewhere, limits.rate.inFlight);
  return { client, recipes, maxBytes: limits.image.maxBytes, calls, close: async () => undefined };
}

export interface UploadOptions {
  readonly maxBytes: number;
  readonly productKind?: string | undefined;
  /** Leave the photo as it is. */
  readonly isUncut?: boolean;
  readonly signal: AbortSignal;
}

/** Uploads a photo, calls `work` with the design once its cutout is ready, then deletes the design from the service. */
export async function lendPhoto<T>(
  client: PackshotClient,
  photo: Photo,
  options: UploadOptions,
  work: (design: CutDesign) => Promise<T>,
): Promise<T> {
  const { id } = await uploadPhoto(client, photo, options);
  try {
    return await work(await client.waitForCutout(id, { signal: options.signal }));
  } finally {
    // If deletion fails, the design expires anyway.
    await client.deleteDesign(id, { signal: AbortSignal.timeout(farewellMs) }).catch(() => undefined);
  }
}

export async function uploadPhoto(
  client: PackshotClient,
  photo: Photo,
  { maxBytes, productKind, isUncut, signal }: UploadOptions,
): Promise<Design> {
  const wishes = {
    ...(productKind !== undefined && { productKind }),
    ...(isUncut && { cutout: 'none' as const }),
  };
  if (photo.kind === 'url') return client.uploadFromUrl({ url: photo.name, ...wishes }, { signal });
  const bytes = photo.kind === 'stdin' ? await readStandardInput(maxBytes) : await openPhoto(photo, maxBytes);
  return client.upload(bytes, { name: photo.path.split('/').at(-1)!, ...wishes, signal });
}
