/** MCP over HTTP: each request gets a tool server of its own, which calls the API in this process with the caller's key. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { createToolServer } from './tool-server.ts';

export interface McpCall {
  readonly request: Request;
  /** The parsed JSON body. */
  readonly body: unknown;
  readonly apiKey: string;
  /** Base URL of the service as the caller knows it. */
  readonly baseUrl: string;
  /** Calls the API of this process. */
  readonly fetch: typeof fetch;
}

/** Longer than the deadline of any call. */
const TIMEOUT_MS = 120_000;

/** Answers both the revision of 2026-07-28 and the clients of 2025, statelessly. */
export async function answerMcp({ request, body, apiKey, baseUrl, fetch }: McpCall): Promise<Response> {
  const client = createPackshotClient({ baseUrl, apiKey, fetch, timeoutMs: TIMEOUT_MS, maxRetries: 1 });
  const context = { openClient: async () => client, files: undefined, baseUrl };
  const handler = createMcpHandler(() => createToolServer(context), { legacy: 'stateless' });
  return handler.fetch(request, { parsedBody: body });
}
