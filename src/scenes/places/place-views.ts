/**
 * Views of each place. We judged twelve directions of every panorama, blurred as behind a product: does the view look
 * like the background of a photograph? Directions that are not listed show a blown-out window or sun, a pole, a seam,
 * a lamp or a bin at the edge of a wide frame, or a single shape that seems to grow out of the product. Data only.
 */
import type { PlaceName } from '../../studio/places/place-names.ts';

export interface PlaceView {
  /** Longitude in the middle of the picture, in degrees. */
  readonly headingDeg: number;
  /** 1: shown first. 2: shown only if all views of rank 1 are lit from the wrong side, or already used. */
  readonly rank: 1 | 2;
  /** Description of the background; for rank 2, its defect. */
  readonly because: string;
}

const view = (headingDeg: number, rank: 1 | 2, because: string): PlaceView => ({ headingDeg, rank, because });

export const viewsOf: Readonly<Record<PlaceName, readonly [PlaceView, ...PlaceView[]]>> = {
  apartment: [
    view(-84, 1, 'pale wall and an open door'),
    view(-98, 1, 'corner of two pale walls'),
    view(-112, 1, 'the corner, and wood at the edge'),
    view(92, 2, 'white wall, almost blown out at one side'),
    view(-150, 2, 'another room through an opening, which looks like a picture on the wall'),
  ],
  city: [
    view(100, 1, 'towers at a crossing, traffic lights'),
    view(36, 1, 'brick front and street signs'),
    view(-128, 2, 'wide, gray street'),
    view(-165, 2, 'bus stop'),
  ],
  dawn: [
    view(-150, 1, 'red hills under a violet sky'),
    view(-115, 1, 'hills, the lightest sky'),
    view(-85, 1, 'ridge and shrubs'),
    view(-180, 1, 'hills, evenly lit'),
    view(158, 1, 'hillside with a shrub at its edge'),
  ],
  esplanade: [
    view(60, 1, 'round lights in the dark'),
    view(155, 1, 'rows of lights'),
    view(-62, 2, 'lit entrance, whose frame competes with the product'),
    view(-120, 2, 'dark hall'),
  ],
  forest: [
    view(-150, 1, 'undergrowth with patches of sun'),
    view(135, 1, 'trunks and a sunny floor'),
    view(-5, 1, 'sky through the trunks'),
    view(-32, 1, 'trunks and round lights'),
    view(-178, 1, 'undergrowth, no sky'),
    view(-120, 2, 'leafy path, busy'),
  ],
  lobby: [
    view(48, 1, 'screens and doors under round lamps'),
    view(78, 1, 'column and wooden doors'),
    view(5, 2, 'white doors; small things on the floor'),
  ],
  park: [
    view(-100, 1, 'row of trees between lawn and sky'),
    view(-62, 1, 'high trees'),
    view(128, 1, 'hedge and roofs'),
    view(152, 1, 'hedge under a clear sky'),
  ],
  sky: [
    view(-120, 2, 'clouds above water, too smooth for a sea'),
    view(150, 2, 'the same'),
    view(-90, 2, 'the same'),
    view(90, 2, 'the same, brighter'),
  ],
  sunrise: [
    view(-108, 1, 'trees in the mist'),
    view(-78, 1, 'golden tree at the edge'),
    view(-62, 2, 'the tree, round behind the product like a halo'),
    view(97, 1, 'mist against the light'),
    view(-152, 2, 'field to the horizon: flat stripes of strong yellow'),
    view(-172, 2, 'the same, reddish'),
  ],
  sunset: [
    view(-145, 1, 'palace across the square'),
    view(-66, 1, 'arcades'),
    view(-36, 1, 'end of the arcades and the evening sky'),
    view(100, 2, 'boats before a pale sky'),
  ],
  venice: [
    view(95, 1, 'calm water to the horizon'),
    view(128, 1, 'water and a far shore'),
    view(-22, 2, 'trees before the evening sky, which no light on the product explains'),
    view(62, 1, 'water, brightest sky'),
    view(-125, 2, 'red house, dark trees'),
  ],
  warehouse: [
    view(-112, 1, 'wall of windows'),
    view(75, 1, 'pale wall, far away'),
    view(132, 2, 'columns under round lamps, as dark as at night'),
    view(-140, 1, 'windows and a column'),
  ],
  workshop: [
    view(-58, 1, 'benches and machines in warm light'),
    view(2, 1, 'steel frames'),
    view(122, 1, 'steel frames and stores'),
    view(-90, 2, 'bright gate'),
  ],
};
