/**
 * The places in which a scene can be set: panoramas from `@pmndrs/assets`, and settings that their files do not
 * contain.
 */

export const placeNames = [
  'apartment',
  'city',
  'dawn',
  'esplanade',
  'forest',
  'lobby',
  'park',
  'sky',
  'sunrise',
  'sunset',
  'venice',
  'warehouse',
  'workshop',
] as const;
export type PlaceName = (typeof placeNames)[number];

/** A sun that is clipped in the panorama's file, or has artifacts that must be painted over. */
export interface SunSettings {
  /** Degrees to the right of the panorama's middle; `latitudeDeg` is in degrees above the horizon. */
  readonly longitudeDeg: number;
  readonly latitudeDeg: number;
  /**
   * The sun's light on a surface that faces the sun, as a multiple of the sky's light on level ground; by default as in
   * the file.
   */
  readonly share?: number;
  /** Color of the sun in linear RGB, used only with `share`; by default the color of a low sun. */
  readonly color?: readonly [number, number, number];
}

/** A mast or a stray light in a clear sky. Out of focus, it would be a pale smear. */
export interface Spot {
  /** Longitude of the spot's middle, as in `SunSettings`; `widthDeg` is the spot's width, including a margin. */
  readonly longitudeDeg: number;
  readonly widthDeg: number;
  readonly latitudesDeg: readonly [lowest: number, highest: number];
}

/** Sun and exposure of a place, chosen by viewing rendered pictures. */
export interface PlaceSettings {
  readonly sun?: SunSettings;
  /** Exposure in stops, relative to a picture in which a white card has a linear brightness of 0.8. */
  readonly stops: number;
  /** Painted over with the sky beside it. */
  readonly spot?: Spot;
}

export const placeSettings: Readonly<Record<PlaceName, PlaceSettings>> = {
  apartment: { stops: 0 },
  city: { stops: 0.9 },
  dawn: { stops: 0.2, spot: { longitudeDeg: -58.7, widthDeg: 7, latitudesDeg: [40, 49] } },
  esplanade: { stops: 0.5 },
  forest: { stops: 0.4 },
  lobby: { stops: 0 },
  park: {
    stops: 0,
    sun: { longitudeDeg: 36.5, latitudeDeg: 10, share: 2.4, color: [1, 0.86, 0.66] },
    spot: { longitudeDeg: -96, widthDeg: 5, latitudesDeg: [12, 27] },
  },
  sky: { stops: 0.4, sun: { longitudeDeg: 34, latitudeDeg: 48 } },
  sunrise: { stops: 0, sun: { longitudeDeg: 36, latitudeDeg: 8.5, share: 2.2, color: [1, 0.8, 0.52] } },
  sunset: { stops: 0, sun: { longitudeDeg: 36.5, latitudeDeg: 3.5, share: 0.9, color: [1, 0.7, 0.42] } },
  venice: { stops: 0 },
  warehouse: { stops: 0 },
  workshop: { stops: 0.4 },
};
