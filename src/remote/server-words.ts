/** Extracts a server's error message to quote in ours: one short line without secrets. */
import { z } from 'zod';

/** Enough for ComfyUI to name a node, an input and a missing file. */
const MAX_CHARS = 400;
/** Redacting shorter strings would blank out ordinary words. */
const MIN_SECRET_CHARS = 6;

const text = z.string().min(1);
const complaint = z.looseObject({ message: text, details: z.string().optional() });

/** The error formats of OpenAI, Google, ComfyUI, fal, Replicate and the Stable Diffusion web UI. */
const answerSchema = z.looseObject({
  error: z.union([complaint, text]).optional().catch(undefined),
  message: text.optional().catch(undefined),
  detail: z
    .union([text, z.array(z.looseObject({ msg: text, loc: z.array(z.unknown()).default([]) }))])
    .optional()
    .catch(undefined),
  errors: text.optional().catch(undefined),
  node_errors: z
    .record(z.string(), z.looseObject({ class_type: z.string().default(''), errors: z.array(complaint) }))
    .optional()
    .catch(undefined),
});

/** Returns the quoted message with a leading space, or an empty string if no known field holds a message. */
export function quoteServer(body: Uint8Array, secrets: readonly string[]): string {
  const line = cleanWords(findWords(body), secrets);
  return line === '' ? '' : ` It says: "${line}"`;
}

/** Returns one line without control characters. Redacts each secret, and each long word within a secret. */
export function cleanWords(words: string, secrets: readonly string[]): string {
  const parts = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((part) => part.length >= MIN_SECRET_CHARS)
    .toSorted((a, b) => b.length - a.length);
  const safe = parts.reduce((line, part) => line.replaceAll(part, '[secret]'), words);
  return safe
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_CHARS);
}

/** OpenAI reports an exhausted quota as 429, but retrying cannot succeed. */
export function isOutOfQuota(body: Uint8Array): boolean {
  const { error } = readAnswer(body);
  return typeof error === 'object' && error.code === 'insufficient_quota';
}

function findWords(body: Uint8Array): string {
  const { error, message, detail, errors, node_errors } = readAnswer(body);
  const about = typeof error === 'object' ? joinComplaint(error) : error;
  const nodes = Object.entries(node_errors ?? {}).map(
    ([id, node]) => `node ${id} (${node.class_type}): ${node.errors.map(joinComplaint).join(', ')}`,
  );
  const fields =
    typeof detail === 'string' ? [detail] : detail?.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  return [about, ...nodes, message, ...(fields ?? []), errors].filter(Boolean).join('; ');
}

const joinComplaint = ({ message, details }: z.infer<typeof complaint>) =>
  details ? `${message}: ${details}` : message;

/** Returns an empty object if the body is not JSON, such as an HTML error page. */
function readAnswer(body: Uint8Array): Partial<z.infer<typeof answerSchema>> {
  try {
    return answerSchema.parse(JSON.parse(Buffer.from(body).toString()));
  } catch {
    return {};
  }
}
