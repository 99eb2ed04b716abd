import { expect, it } from 'vitest';
import { blurGaussian } from './gaussian-blur.ts';

it.each([0.8, 2.3, 9])('a blur spreads a point like a Gaussian of sigma %d, and keeps the sum', (sigma) => {
  const size = 101;
  const data = new Float32Array(size * size);
  data[50 * size + 50] = 1;
  blurGaussian(data, { width: size, height: size }, { sigmaX: sigma, sigmaY: sigma / 2 });
  let [sum, varianceX, varianceY] = [0, 0, 0];
  for (let i = 0; i < data.length; i++) {
    sum += data[i]!;
    varianceX += data[i]! * ((i % size) - 50) ** 2;
    varianceY += data[i]! * (Math.floor(i / size) - 50) ** 2;
  }
  expect(sum).toBeCloseTo(1, 3);
  expect(Math.sqrt(varianceX)).toBeCloseTo(sigma, 1);
  expect(Math.sqrt(varianceY)).toBeCloseTo(sigma / 2, 1);
});

it('a blur loses the light that crosses the border', () => {
  const data = new Float32Array(16).fill(1);
  blurGaussian(data, { width: 4, height: 4 }, { sigmaX: 2, sigmaY: 2 });
  expect(data[0]).toBeLessThan(data[5]!);
  expect(data[5]).toBeLessThan(1);
});
