/** The noise from which a picture starts; the same seed gives the same noise on every machine. */
import { createRandom } from '../../../scenes/seeded-random.ts';

/**
 * Standard normal numbers by the Box-Muller transform (1958), in pairs, the cosine first. Other programs have other
 * generators, so they make other pictures from the same seed.
 */
export function makeGaussianNoise(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  const noise = new Float32Array(count);
  for (let i = 0; i < count; i += 2) {
    // 1 - next() is never 0; the logarithm of 0 would be infinite.
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    const angle = 2 * Math.PI * random.next();
    noise[i] = radius * Math.cos(angle);
    if (i + 1 < count) noise[i + 1] = radius * Math.sin(angle);
  }
  return noise;
}
