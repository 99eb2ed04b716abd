/** Building blocks for single environment variables. */
import { z } from 'zod';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Treats unset, empty and blank alike: as a number, a blank would become 0. */
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

/** URL of a remote engine, without a password, which would end up in logs. */
export const engineUrl = z
  .url({ protocol: /^https?$/, error: 'needs an http or https URL' })
  .refine(holdsNoPassword, {
    error: 'takes no user name or password; put an Authorization line into the headers',
  });

/** Invalid URLs are reported by `z.url` above. */
function holdsNoPassword(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** `Name: value` lines, never logged. */
export const headers = z.string().transform(parseHeaders);

/** HTTP field names are tokens and values visible text (RFC 9110, 5.1 and 5.5). Errors do not quote the input. */
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
