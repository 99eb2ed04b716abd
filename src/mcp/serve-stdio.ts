/** MCP over standard input and output, for a client that starts the server itself. */
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { ToolContext } from './tool-context.ts';
import { createToolServer } from './tool-server.ts';

/** Standard output carries only the protocol. `onError` receives errors outside of calls. */
export function serveStdio(
  context: ToolContext,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  return serve(() => createToolServer(context), { onerror: onError });
}
