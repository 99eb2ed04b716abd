/** Parts that the API documents of the drop-in interfaces share. */
import { z } from 'zod';

export const binary = z.any().meta({ type: 'string', format: 'binary' });

/** An optional text field. */
export const text = (description: string) => z.string().optional().describe(description);
/** A text field with a default. */
export const textOr = (byDefault: string, description: string) =>
  z.string().default(byDefault).describe(description);

export const failureOf = (schema: z.ZodType) => ({
  description: 'A failure.',
  content: { 'application/json': { schema } },
});
