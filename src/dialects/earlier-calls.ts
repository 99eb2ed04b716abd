/**
 * Designs of calls that ended before their picture was made, because the caller left or its time was up. Clients then
 * send the same photo again, and the repeat takes the design of the call before: its cutout keeps its place in the line.
 */
import type { Photo } from '../designs/create-design.ts';
import type { Design, ProcessingDesign, ReadyDesign } from '../designs/design.ts';
import { digestOf } from './make-picture.ts';

const mostKept = 1_000;

interface Dependencies {
  readonly findDesign: (id: string) => Promise<Design | undefined>;
  readonly clock: () => number;
  /** How long such designs can be taken, in milliseconds. */
  readonly takenForMs: number;
}

interface Left {
  readonly id: string;
  /** By the clock: when the first of the calls left. */
  readonly at: number;
  /** Whether a repeated call works with the design. */
  isTaken: boolean;
}

export type EarlierCalls = ReturnType<typeof createEarlierCalls>;

export function createEarlierCalls({ findDesign, clock, takenForMs }: Dependencies) {
  const calls = new Map<string, Left>();

  return {
    /** Identifies the photo of an account, by its bytes and by how they are cut out. */
    keyOf: (accountId: string, { bytes, alpha, cutout }: Photo): string =>
      [accountId, digestOf(bytes), alpha, cutout].join(' '),

    /** Whether callers of this account come back. */
    hasAny: (accountId: string): boolean =>
      [...calls].some(([key, { at }]) => key.startsWith(`${accountId} `) && clock() - at <= takenForMs),

    noteLeft(key: string, id: string): void {
      const before = calls.get(key);
      calls.delete(key);
      calls.set(key, { id, at: before?.id === id ? before.at : clock(), isTaken: false });
      if (calls.size > mostKept) calls.delete(calls.keys().next().value!);
    },

    forget(key: string, id: string): void {
      if (calls.get(key)?.id === id) calls.delete(key);
    },

    /** Undefined if there is none, if another call works with it, or if it failed or was corrected. */
    async take(key: string): Promise<ProcessingDesign | ReadyDesign | undefined> {
      const left = calls.get(key);
      if (!left || left.isTaken || clock() - left.at > takenForMs) return undefined;
      left.isTaken = true;
      const design = await findDesign(left.id);
      if (design?.state === 'processing') return design;
      return design?.state === 'ready' && !design.history ? design : undefined;
    },
  };
}
