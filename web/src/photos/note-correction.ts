/**
 * Records a correction in the photo queue. The new revision makes the page draw the photo's pictures again, and the
 * photo counts as approved, whatever doubts the service still reports.
 */
import type { Design } from '../../../clients/typescript/src/packshot-client.ts';
import { factsOf } from './photo.ts';
import type { PhotoQueue } from './photo-queue.ts';

export function noteCorrection(queue: PhotoQueue, design: Design): void {
  const photo = queue.photos().find(({ designId }) => designId === design.id);
  if (!photo) return;
  queue.change(photo.key, { ...factsOf(design), approved: true, unmade: null });
}
