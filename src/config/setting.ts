/** What single variables of the environment look like. */
import { z } from 'zod';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** An unset, an empty and a blank variable are the same: as a number, a blank would be 0. */
export const setting = <T extends z.ZodType>(schema: T, meaning: string) =>
  z
    .preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), schema)
    .describe(meaning);

export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Entries set apart by commas or blanks. */
export const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''));

/** Of an engine elsewhere; a password in it would end up in logs. */
export const engineUrl = z
  .url({ protocol: /^https?$/, error: 'needs an http or https URL' })
  .refine(holdsNoPassword, {
    error: 'takes no user name or password; put an Authorization line into the headers',
  });

/** What is no URL at all is told of elsewhere. */
function holdsNoPassword(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** `Name: value` lines, kept from every log. */
export const headers = z.string().transform(parseHeaders);

/** HTTP field names are tokens and values visible text (RFC 9110, 5.1 and 5.5). Says nothing of what it was given. */
function parseHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  const parsed: Record<string, string> = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e]+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      context.addIssue({ code: 'custom', message: 'needs one `Name: value` a line, in plain ASCII' });
      return z.NEVER;
    }
    parsed[name.toLowerCase()] = value;
  }
  return parsed;
}

/** A variable that does not go with the others. */
export const unfit = (name: string, why: string) =>
  new ConfigError(`The configuration does not fit:\n  ${name}: ${why}`);

/** A variable that only some choice of another one asks for. */
export const missing = (name: string, wantedBy: string) => unfit(name, `needed with ${wantedBy}`);
