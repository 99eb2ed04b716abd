/** The noise that a picture begins with: the same for the same seed on every machine. */
import { createRandom } from '../../../scenes/seeded-random.ts';

/**
 * Numbers of mean 0 and variance 1 by the Box-Muller transform (1958): two at a time, cosine first. Pictures of other
 * programs for the same seed differ: theirs come from generators of their own.
 */
export function makeGaussianNoise(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const noise = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    // 1 - next() is never 0, whose logarithm is endless.
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    noise[i] = radius * Math.cos(angle);
    if (i + 1 < count) noise[i + 1] = radius * Math.sin(angle);
  }
  return noise;
}
