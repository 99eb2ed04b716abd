/** Decides whether a URL is refused: because of its form, its port, or any address that its host name resolves to. */
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from 'packshot-errors';
import type { AddressGuard } from './address-guard.ts';
import type { LookUpHost } from './resolve-host.ts';

interface Settings {
  readonly lookupTimeoutMs: number;
  readonly refusalStepMs: number;
  readonly lookup: LookUpHost;
}

/** A URL that passed the guard, with the addresses that were checked. */
export interface Target {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

/** The decoded last segment of the URL's path; undefined if it cannot be decoded. */
export function lastOfPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** Room for URLs that a role signed for a bucket: their tokens alone have 1 to 2 kB. */
export const MAX_URL_LENGTH = 8_192;

/**
 * Refuses all blocked targets with one message, and after a padded time. Checking a literal address takes microseconds,
 * and checking a name takes a lookup; the difference would reveal which internal names exist. After a redirect, padding
 * counts from the redirect, so that the server that sent it cannot measure the difference either.
 */
export async function checkUrl(
  text: string,
  settings: Settings,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Target> {
  const startedAt = performance.now();
  const target = await findTarget(text, settings, guard, signal);
  if (target !== null) return target;
  const elapsedMs = performance.now() - startedAt;
  const answerAtMs = Math.ceil(elapsedMs / settings.refusalStepMs) * settings.refusalStepMs;
  await sleep(answerAtMs - elapsedMs, undefined, { signal });
  throw new PackshotError(
    'source_url_blocked',
    'Only public http and https URLs without a user name, on the usual ports and at most 8,192 characters long, are fetched.',
  );
}

async function findTarget(
  text: string,
  settings: Settings,
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Target | null> {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '') return null;
  // The URL parser has already converted every numeric spelling (decimal, hex, octal, short, full-width) to the
  // canonical address, so any other host is a name.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const family = isIP(host);
  const isListed = guard.admitsHost(host, port);
  const addresses =
    family === 0 ? await findAddresses(host, isListed, settings, signal) : [{ address: host, family }];
  const admitted =
    addresses.length > 0 &&
    (isListed || addresses.every(({ address }) => guard.admitsAddress(address, port)));
  return admitted ? { url, addresses } : null;
}

async function findAddresses(
  host: string,
  isListed: boolean,
  settings: Settings,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const over = new AbortController();
  try {
    return await Promise.race([
      settings.lookup(host, { isListed, signal: over.signal }),
      sleep(settings.lookupTimeoutMs, [], { signal, ref: false }),
    ]);
  } catch {
    signal.throwIfAborted();
    // A name that does not resolve is refused like any other blocked target.
    return [];
  } finally {
    over.abort();
  }
}
