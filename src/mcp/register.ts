/** Registers a tool: its failures become results that a model can read, and its work is aborted with its call. */
import type { McpServer } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { answerError, type ToolContent } from './results.ts';

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Input;
  readonly outputSchema: Output;
  readonly annotations: Readonly<Record<string, boolean>>;
}

export function register<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  name: string,
  definition: Definition<Input, Output>,
  work: (input: z.output<Input>, signal: AbortSignal) => Promise<ToolContent>,
): void {
  const call = async (input: unknown, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
    try {
      return await work(input as z.output<Input>, mcpReq.signal);
    } catch (error) {
      mcpReq.signal.throwIfAborted();
      return answerError(error);
    }
  };
  // The SDK infers its types from a concrete schema; here the schema is generic.
  server.registerTool(name, definition as never, call as never);
}
