/** Derives the seed of scenes: the same design, prompt and aspect ratio give the same scenes. */
import { hashSeed } from './seeded-random.ts';

interface SeedSource {
  readonly designId: string;
  /** Undefined if the request has no prompt. */
  readonly prompt: string | undefined;
  readonly ratio: string;
}

/** Returns 0 to 4294967295. Each list, scene and set derives its own seed from this seed. */
export const makeSceneSeed = ({ designId, prompt = '', ratio }: SeedSource): number =>
  hashSeed(designId, prompt, ratio);
