/** Dependencies of the tools: the public API, and in a local server the files that it may use. */
import type { PackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import type { LocalFiles } from './local-files.ts';

export interface ToolContext {
  /** Opened on the first call, because clients list the tools long before they use one. */
  readonly openClient: () => Promise<PackshotClient>;
  /** Undefined in a server reached over HTTP, which never accesses files for a caller. */
  readonly files: LocalFiles | undefined;
  /** Base URL of the service for links; undefined if pictures are written to files. */
  readonly baseUrl: string | undefined;
}
