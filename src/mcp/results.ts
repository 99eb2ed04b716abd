/** Results for MCP clients: facts as structured content and as text, small pictures, and links to files. */
import { z } from 'zod';
import { type Design, PackshotError, type Picture } from '../../clients/typescript/src/packshot-client.ts';
import { optional } from '../optional.ts';

/** An error that the calling model can correct. The message says how, in one or two sentences. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface ToolContent {
  readonly [key: string]: unknown;
  content: (
    | { type: 'text'; text: string }
    | { type: 'image'; data: string; mimeType: string }
    | { type: 'resource_link'; uri: string; name: string; mimeType: string }
  )[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export const fileSchema = z.object({
  path: z.string().optional().describe('Absolute path of the file that was written.'),
  url: optional(z.string(), 'Where to get the full picture, with the API key in the header X-Api-Key.'),
  method: z.enum(['GET', 'POST']).optional().describe('HTTP method for requesting `url`.'),
  body: z.record(z.string(), z.unknown()).optional().describe('JSON body for requesting `url`.'),
  mimeType: z.string(),
  width: z.number().int().optional().describe('Pixels.'),
  height: z.number().int().optional().describe('Pixels.'),
});
export type FileFacts = z.infer<typeof fileSchema>;

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

const placeSchema = z.object({
  reason: z.enum(['separate_part', 'looks_differ']),
  box,
  part: z.object({ mode: z.enum(['keep', 'erase']), x: z.number(), y: z.number() }),
});

export const designFacts = {
  designId: z.string().describe('Identifies the photo in further calls, until it expires.'),
  expiresAt: z
    .string()
    .nullable()
    .describe('ISO 8601; renewed by each use. Null if the design does not expire.'),
  subjectBox: box.describe('The product in the photo, in pixels of the photo.').nullable(),
  confidence: z.number().nullable().describe('Certainty of the outline, 0 to 1.'),
  doubtful: z
    .array(placeSchema)
    .describe(
      'Places of the cutout to check. To switch a place between product and background, pass its `part` in the list `parts` to the tool `correct_cutout`.',
    ),
  warnings: z.array(z.string()).describe('What to check, in plain language.'),
};

export function describeDesign(design: Design, warnings: readonly string[] = []) {
  return {
    designId: design.id,
    expiresAt: design.expiresAt,
    subjectBox: design.subject?.boundingBox ?? null,
    confidence: design.subject?.confidence ?? null,
    doubtful: (design.subject?.doubtful ?? []).map(({ reason, box, part }) => ({ reason, box, part })),
    warnings: [...(design.subject?.issues ?? []).map(({ detail }) => detail), ...warnings],
  };
}

/** Below client limits: Claude Desktop accepts 1,048,576 characters per result. */
const MOST_IMAGE_CHARS = 700_000;

export async function toImage(picture: Picture) {
  const data = Buffer.from(await picture.bytes()).toString('base64');
  return { type: 'image' as const, data, mimeType: picture.contentType };
}

interface Answer {
  readonly facts: Record<string, unknown>;
  readonly images?: readonly Awaited<ReturnType<typeof toImage>>[];
  readonly files?: readonly FileFacts[];
}

/** Omits pictures that do not fit. Includes a link to each file that has a path, or that a GET request returns. */
export function answer({ facts, images = [], files = [] }: Answer): ToolContent {
  const content: ToolContent['content'] = [];
  let chars = 0;
  for (const image of images) {
    chars += image.data.length;
    if (chars <= MOST_IMAGE_CHARS) content.push(image);
  }
  for (const { path, url, method, mimeType } of files) {
    const uri = path === undefined ? url : new URL(`file://${encodeURI(path)}`).href;
    if (uri === undefined || method === 'POST') continue;
    content.push({ type: 'resource_link', uri, name: uri.split('/').at(-1)!, mimeType });
  }
  // Older clients read only the text.
  content.push({ type: 'text', text: JSON.stringify(facts) });
  return { content, structuredContent: facts };
}

/** A model can act on `ToolError` and `PackshotError`; other errors are reported only as unexpected. */
export function answerError(error: unknown): ToolContent {
  return { isError: true, content: [{ type: 'text', text: explain(error) }] };
}

function explain(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (!(error instanceof PackshotError))
    return 'Packshot failed unexpectedly. See the server log for details.';
  const fields = error.errors
    .filter(({ detail }) => detail !== error.message)
    .map(({ pointer, detail }) => `${pointer}: ${detail}`);
  const retry = error.retryAfterS === undefined ? [] : [`Try again in ${error.retryAfterS} s.`];
  return [error.message, ...fields, remedies[error.code] ?? [], ...retry, `(${error.code})`].flat().join(' ');
}

/** Advice in terms of the tools. */
const remedies: Readonly<Record<string, string>> = {
  unknown_recipe: 'Call `list_recipes` for valid recipes.',
  unknown_variant: 'Call `list_recipes` for the ratios of each recipe.',
  mutation_uri_rejected: 'Call `suggest_scenes` for this design and pass its `scene` unchanged.',
  design_not_found: 'Send the photo again.',
};
