/** Step: the contact line below a board that a product is mounted on. */
import type { RgbImage } from '../../pixels.ts';
import { darkenContact } from './contact-line.ts';
import type { PlacedSubject } from './silhouette.ts';

/** Darkens the ground below the board in `plate`, in place. `border` is the board's around the product, in pixels. */
export function standBoard(plate: RgbImage, { image, x, y }: PlacedSubject, border: number): void {
  const width = image.width + 2 * border;
  const height = image.height + 2 * border;
  const data = new Uint8Array(width * height * 4).fill(255);
  const board = { image: { width, height, data }, x: x - border, y: y - border };
  // A contact line runs under what stands on it as well, and the board is part of the plate.
  const below = Math.min(plate.height, board.y + height) * plate.width * 3;
  const kept = plate.data.slice(0, Math.max(0, below));
  darkenContact(plate, board);
  plate.data.set(kept);
}
