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
  const inputSchema = acceptJsonText(definition.inputSchema);
  // The SDK infers its types from a concrete schema; here the schema is generic.
  server.registerTool(name, { ...definition, inputSchema } as never, call as never);
}

/** Some clients send numbers, booleans, arrays and objects as JSON in a string. */
function acceptJsonText(schema: z.ZodObject) {
  const standard = schema['~standard'];
  const validate = (sent: unknown) => standard.validate(parseTexts(schema, sent));
  return { '~standard': { ...standard, validate } };
}

function parseTexts({ shape }: z.ZodObject, sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  const entries = Object.entries(sent).map(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    return [name, field && typeof value === 'string' ? parseText(field, value) : value];
  });
  return Object.fromEntries(entries);
}

function parseText(field: z.ZodType, text: string): unknown {
  if (field.safeParse(text).success) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A text that is no valid value either way is refused as it was sent.
    return field.safeParse(value).success || typeof value === 'object' ? value : text;
  } catch {
    return text;
  }
}
