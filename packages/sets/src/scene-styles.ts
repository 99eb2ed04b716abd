/** The styles of sets and the kinds of places, and which of them a caller's preset allows. */

export const sceneStyles = [
  'stone',
  'wood',
  'color',
  'pastel',
  'nature',
  'dark',
  'fabric',
  'studio',
] as const;
/** A family of studio scenes that share one list. */
export type SceneStyle = (typeof sceneStyles)[number];

export const settings = ['indoor', 'outdoor'] as const;
/** A kind of real places that a preset may allow. Both kinds share one list. */
export type Setting = (typeof settings)[number];

/** The part of a caller's preset that concerns scenes; see `presetSchema`. */
export interface ScenePreset {
  readonly styles?: readonly (SceneStyle | Setting)[] | undefined;
  /** Brand colors, sRGB #RRGGBB, most important first. */
  readonly palette?: readonly string[] | undefined;
  readonly lists?: number | undefined;
  readonly perList?: number | undefined;
}

/** The styles that the preset's studio scenes may have; may be empty. */
export function listPresetStyles({ styles }: ScenePreset): readonly SceneStyle[] {
  return styles === undefined ? sceneStyles : sceneStyles.filter((style) => styles.includes(style));
}

/**
 * The kinds of real places that the preset allows. Without an explicit choice, a preset with brand colors
 * allows none, because places do not have those colors.
 */
export function listPresetSettings({ styles, palette = [] }: ScenePreset): readonly Setting[] {
  if (styles === undefined) return palette.length === 0 ? settings : [];
  return settings.filter((setting) => styles.includes(setting));
}

export function hasScenes(preset: ScenePreset): boolean {
  return listPresetStyles(preset).length + listPresetSettings(preset).length > 0;
}
