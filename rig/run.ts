/** One run of a check: its services, and the results it reports. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type OwnService, openClient, startService, stopService } from './service.ts';

/** `noted`: a time or size from a short run, which is too short to compare the value with the limit. */
export type Verdict = 'pass' | 'fail' | 'noted' | 'skipped';

export interface Bar {
  readonly what: string;
  readonly bar: string;
  readonly measured: string;
  readonly verdict: Verdict;
}

export interface StartOptions {
  /** Default: a new folder, removed at the end. */
  readonly dataDir?: string;
  /** A command that starts the service, such as strace; the service's command is appended. */
  readonly through?: readonly string[];
}

export interface Run {
  readonly full: boolean;
  /** Runs only those parts of the check whose names contain one of these texts; all parts if empty. */
  readonly only: readonly string[];
  /** Returns the remote service if its URL was given; otherwise starts a local service with these settings. */
  start(environment?: Record<string, string>): Promise<Client & Partial<OwnService>>;
  startOwn(environment?: Record<string, string>, options?: StartOptions): Promise<OwnService>;
  newFolder(): Promise<string>;
  /** Reports a requirement, its limit (`bar`), the measured value, and whether the requirement is met. */
  bar(what: string, bar: string, measured: string | number, holds: boolean): void;
  /** Like `bar`, for a requirement that fails the check only in a full run. */
  fullBar(what: string, bar: string, measured: string | number, holds: boolean): void;
  skip(what: string, reason: string): void;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly full: boolean;
  readonly only: readonly string[];
  readonly elsewhere: { readonly url: string; readonly key: string } | undefined;
  readonly onBar: (bar: Bar) => void;
}

export function openRun({ full, only, elsewhere, onBar }: RunOptions): Run {
  const services: OwnService[] = [];
  const folders: string[] = [];

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-rig-'));
    folders.push(folder);
    return folder;
  }
  async function startOwn(
    environment = {},
    { dataDir, through = [] }: StartOptions = {},
  ): Promise<OwnService> {
    const service = await startService(dataDir ?? (await newFolder()), environment, through);
    services.push(service);
    return service;
  }
  const report = (what: string, bar: string, measured: string | number, verdict: Verdict) =>
    onBar({ what, bar, measured: String(measured), verdict });

  return {
    full,
    only,
    startOwn,
    newFolder,
    start: async (environment) =>
      elsewhere ? openClient(elsewhere.url, elsewhere.key) : startOwn(environment),
    bar: (what, bar, measured, holds) => report(what, bar, measured, holds ? 'pass' : 'fail'),
    fullBar: (what, bar, measured, holds) =>
      report(what, bar, measured, !full ? 'noted' : holds ? 'pass' : 'fail'),
    skip: (what, reason) => report(what, '', reason, 'skipped'),
    async close() {
      for (const service of services) await stopService(service, 'SIGKILL');
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
