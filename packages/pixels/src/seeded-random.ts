/** Seeded random numbers that are the same on every machine, and seeds derived from words. */

export interface SeededRandom {
  /** Uniform in [0, 1). */
  next(): number;
  between(min: number, max: number): number;
  pick<T>(choices: readonly [T, ...T[]] | readonly T[]): T;
  shuffle<T>(things: readonly T[]): T[];
  /** A derived seed, 0 to 4294967295. */
  seed(): number;
}

/**
 * FNV-1a, 32 bits (Fowler, Noll, Vo; draft-eastlake-fnv), then the finalizer of MurmurHash3, because FNV-1a alone mixes
 * short words poorly.
 */
export function hashSeed(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state suffice for the few dozen draws of a set. */
export function createRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const bits = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const next = (): number => bits() / 4294967296;
  return {
    next,
    between: (min, max) => min + (max - min) * next(),
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    shuffle: (things) => {
      const shuffled = [...things];
      for (let index = shuffled.length - 1; index > 0; index--) {
        const other = Math.floor(next() * (index + 1));
        [shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!];
      }
      return shuffled;
    },
    seed: bits,
  };
}
