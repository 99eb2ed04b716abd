/** MCP over HTTP: each request gets its own tool server, which calls the API in this process with the caller's key. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';
import { createToolServer } from './tool-server.ts';

export interface McpCall {
  readonly request: Request;
  /** The parsed JSON body. */
  readonly body: unknown;
  readonly apiKey: string;
  /** Base URL at which the caller reaches this service. */
  readonly baseUrl: string;
  /** More than the service takes for any call. */
  readonly timeoutMs: number;
  /** Calls the API of this process. */
  readonly fetch: typeof fetch;
}

/** Stateless; supports protocol revision 2026-07-28 and, for older clients, the revisions of 2025. */
export async function answerMcp({
  request,
  body,
  apiKey,
  baseUrl,
  timeoutMs,
  fetch,
}: McpCall): Promise<Response> {
  const client = createPackshotClient({ baseUrl, apiKey, fetch, timeoutMs, maxRetries: 1 });
  const context = { openClient: async () => client, files: undefined, baseUrl };
  const handler = createMcpHandler(() => createToolServer(context), { legacy: 'stateless' });
  return handler.fetch(request, { parsedBody: body });
}
