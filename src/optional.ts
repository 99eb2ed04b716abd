/** A field that a call may leave out. */
import type { z } from 'zod';

export const optional = <Field extends z.ZodType>(field: Field, description: string): z.ZodOptional<Field> =>
  field.optional().describe(description);
