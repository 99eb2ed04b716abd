/** Building blocks for single environment variables. */
import { z } from 'zod';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Treats empty and blank variables like unset ones. Otherwise, their conversion to a number would result in 0. */
export const setting = <T extends z.ZodType>(schema: T, meaning: string) =>
  z
    .preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), schema)
    .describe(meaning);

export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Entries separated by commas or whitespace. */
export const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''));

/** URL of a remote engine. It must contain no password, which would end up in logs. */
export const engineUrl = z
  .url({ protocol: /^https?$/, error: 'needs an http or https URL' })
  .refine(holdsNoPassword, {
    error: 'takes no user name or password; put an Authorization line into the headers',
  });

/** True for invalid URLs, too: `z.url` above reports those. */
function holdsNoPassword(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** HTTP headers as `Name: value` lines; their values are never logged. */
export const headers = z.string().transform(parseHeaders);

/**
 * Names must be tokens, and values visible ASCII, spaces and tabs (RFC 9110, 5.1 and 5.5). Errors do not quote the
 * input, which may be secret.
 */
function parseHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      context.addIssue({ code: 'custom', message: 'needs one `Name: value` per line, in plain ASCII' });
      return z.NEVER;
    }
    parsed[name.toLowerCase()] = value;
  }
  return parsed;
}

/** An error for a variable that conflicts with others. */
export const unfit = (name: string, why: string) =>
  new ConfigError(`The configuration is invalid:\n  ${name}: ${why}`);

/** An error for a variable that another setting requires. */
export const missing = (name: string, wantedBy: string) => unfit(name, `needed with ${wantedBy}`);
