/** Groups of props that the words of a prompt add to any set. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { propSlotSchema } from './set-file.ts';
import type { PropGroup } from './wanted.ts';

const groups: readonly PropGroup[] = z
  .array(
    z.strictObject({ name: z.string(), behind: z.array(propSlotSchema), beside: z.array(propSlotSchema) }),
  )
  .parse(JSON.parse(readFileSync(new URL('./data/props.json', import.meta.url), 'utf8')));

export const findPropGroup = (name: string): PropGroup | undefined =>
  groups.find((group) => group.name === name);
