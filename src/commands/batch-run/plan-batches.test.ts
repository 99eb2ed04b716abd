import { expect, it } from 'vitest';
import { type SentPhoto, splitIntoBatches } from './plan-batches.ts';

const photo = (bytes: number): SentPhoto => ({
  photo: { kind: 'file', name: '', path: '', version: undefined, identity: '' },
  picture: '',
  bytes,
});
const split = (sizes: number[], maxItems: number, maxFilesBytes: number) =>
  splitIntoBatches(sizes.map(photo), { maxItems, maxFilesBytes }).map((batch) =>
    batch.map(({ bytes }) => bytes),
  );

it('a plan fills each batch up to the service’s limits on items and bytes', () => {
  expect(split([1, 2, 3, 4, 5], 2, 100)).toEqual([[1, 2], [3, 4], [5]]);
  expect(split([4, 4, 4, 1], 10, 8)).toEqual([
    [4, 4],
    [4, 1],
  ]);
});

it('a photo that exceeds the byte limit gets a batch of its own; without photos, there is no batch', () => {
  expect(split([1, 9, 1], 10, 5)).toEqual([[1], [9], [1]]);
  expect(split([], 10, 5)).toEqual([]);
});
