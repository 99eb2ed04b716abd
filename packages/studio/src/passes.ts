/** The render passes from a scene to its picture, in order. Each pass is divided into rows that any thread can draw. */
import { type BuiltSet, openSet } from './built-set.ts';
import { type DenoiseSettings, denoiseLevel } from './denoise.ts';
import { blurRow } from './depth-of-field.ts';
import { fillGuide, traceGeometry } from './geometry-buffer.ts';
import { isPolished, showsDiffuse, showsGloss, traceIndirect } from './indirect-light.ts';
import { traceKey } from './key-light.ts';
import { markEvenRows } from './light-lookup.ts';
import type { Lighting } from './look-up-light.ts';
import type { Material } from './materials/material.ts';
import type { PictureFrame } from './picture-frame.ts';
import { blurBackdrop, type PlaceView, sampleBackdrop } from './places/place-backdrop.ts';
import { focusRow, isSoftRow } from './places/place-focus.ts';
import { openPlaceLight } from './places/place-sky.ts';
import { openProxy } from './product-proxy.ts';
import { refineKey } from './refine-key.ts';
import { shadeRows } from './shade.ts';
import { smoothEdges } from './smooth-edges.ts';
import { toneRow } from './tone.ts';

/** A pass needs all rows of the previous passes; its own rows can be computed in any order. */
export interface Pass {
  /** The name of the pass in timings: the name of its file. */
  readonly step: string;
  readonly rows: number;
  /** Whether the pass depends only on camera and set, so that its result can be reused for another product. */
  readonly ofSet: boolean;
  readonly draw: (fromRow: number, toRow: number) => void;
}

const diffuseDenoise: DenoiseSettings = {
  channels: 3,
  levels: 5,
  normalPower: 8,
  range: { relative: 1.3, floor: 0.06 },
};
/**
 * For a set in a place, that is, lit by a panorama of a real place. There, the diffuse light is importance-sampled and
 * has less noise. So it is blurred less, which keeps the shadow under a foot narrow.
 */
const placeDenoise: DenoiseSettings = { ...diffuseDenoise, levels: 3, range: { relative: 1.2, floor: 0.03 } };
/**
 * For the fraction of the set's diffuse light that remains once the product stands in the set. This fraction is
 * smoothed less than the light itself: the dark floor below a sofa is only a few texels high, and stronger smoothing
 * would spread that darkness over the whole floor. The light with and without the product is measured with the same
 * rays, so the fraction has little noise (Heitz et al. 2018, "Combining analytic direct illumination and stochastic
 * shadows").
 */
const keptDenoise: DenoiseSettings = {
  channels: 3,
  levels: 3,
  normalPower: 8,
  range: [1.5, 0.3, 0.2],
};
/**
 * If the normal turns by an angle, the reflected ray turns by twice that angle. So on curved metal, even neighbors with
 * similar normals reflect different things. A lower `normalPower` would average them, and so blur the reflections.
 */
const glossyDenoise: DenoiseSettings = { ...diffuseDenoise, levels: 4, normalPower: 128 };
/**
 * Polished surfaces get more rays (see `traceIndirect`) rather than more smoothing, which would blur their reflections.
 */
const polishDenoise: DenoiseSettings = {
  ...glossyDenoise,
  levels: 2,
  range: { relative: 0.2, floor: 0.01 },
};
/**
 * In the first level, the range must be so large that lit texels are averaged with dark ones. With a smaller range,
 * texels at the edge of a sharp shadow would become entirely lit or dark, and the edge would show the grid as jagged
 * steps.
 */
const keyDenoise: DenoiseSettings = { channels: 1, levels: 2, normalPower: 4, range: [0.8, 0.2] };

/** Prepares a frame for drawing in this thread. The frame is plain data; each thread creates the functions itself. */
export function openFrame({ scene, camera, set: tree, stand, place, room }: PictureFrame): BuiltSet {
  const set = openSet(scene, camera, tree, room);
  const empty = place === undefined ? set : { ...set, ...openPlaceLight(place) };
  if (stand === undefined) return empty;
  return { ...empty, proxy: openProxy(stand.shape, camera, stand.product), bare: empty };
}

/** Lists the passes of a frame. All threads that have opened the same frame get the same list. */
export function listPasses(built: BuiltSet, frame: PictureFrame): Pass[] {
  const { buffer, linear, place } = frame;
  const { height } = buffer;
  const lighting = lightingOf(frame);
  const isSoft = place && ((row: number) => isSoftRow(place, buffer, row));
  return [
    ...listSetPasses(built, frame),
    ...listLightPasses(built, frame),
    passOf('shade', height, (from, to) => shadeRows(built, buffer, lighting, linear, from, to, isSoft)),
    ...(frame.effort.smoothsEdges
      ? [passOf('smooth-edges', height, (from, to) => smoothEdges(built, buffer, lighting, linear, from, to))]
      : []),
    ...(place === undefined ? [] : listPlacePasses(place)),
    passOf('tone', height, (from, to) => develop(frame, from, to)),
  ];
}

function passOf(step: string, rows: number, draw: Pass['draw'], ofSet = false): Pass {
  return { step, rows, ofSet, draw };
}

function listPlacePasses(place: PlaceView): Pass[] {
  const { raw, blurred } = place;
  return [
    passOf('place-backdrop', raw.height, (from, to) => sampleBackdrop(place, from, to), true),
    passOf('place-backdrop', blurred.height, (from, to) => blurBackdrop(place, from, to), true),
  ];
}

function listSetPasses(built: BuiltSet, { buffer, key, indirect }: PictureFrame): Pass[] {
  return [
    passOf('geometry-buffer', buffer.height, (from, to) => traceGeometry(built, buffer, from, to), true),
    ...[key.guide, indirect.guide].map((guide) =>
      passOf('geometry-buffer', guide.height, (from, to) => fillGuide(built, buffer, guide, from, to), true),
    ),
    ...[key, indirect].map(({ guide, cells }) =>
      passOf('light-lookup', guide.height, (from, to) => markEvenRows(guide, cells, from, to), true),
    ),
  ];
}

function listLightPasses(
  built: BuiltSet,
  { effort, key, visibility, indirect, diffuse, kept, glossy, place, stand }: PictureFrame,
): Pass[] {
  const into = { diffuse: diffuse[0], kept: kept[0], glossy: glossy[0] };
  const materials = markMaterials(built, showsDiffuse);
  const diffuseSettings = diffuseDenoiseOf(place);
  const { keySamples, samples } = effort;
  return [
    passOf('key-light', key.guide.height, (from, to) =>
      traceKey(built, key.guide, keySamples, visibility[1], from, to),
    ),
    passOf('refine-key', key.guide.height, (from, to) =>
      refineKey(built, key.guide, keySamples, visibility[1], visibility[0], from, to),
    ),
    passOf('indirect-light', indirect.guide.height, (from, to) =>
      traceIndirect(built, indirect.guide, samples, into, from, to),
    ),
    ...listDenoisePasses(key, visibility, keyDenoise),
    ...listDenoisePasses(indirect, diffuse, { ...diffuseSettings, materials }),
    ...(stand === undefined
      ? []
      : [
          ...listDenoisePasses(indirect, kept, { ...keptDenoise, materials }),
          shadeDiffuse(indirect, diffuse[diffuseSettings.levels % 2]!, kept[keptDenoise.levels % 2]!),
        ]),
    ...[glossyDenoise, polishDenoise].flatMap((settings) => {
      const materials = markMaterials(
        built,
        (material) => showsGloss(material) && isPolished(material) === (settings === polishDenoise),
      );
      return listDenoisePasses(indirect, glossy, { ...settings, materials });
    }),
  ];
}

/** Multiplies the light without the product by the fraction that remains with the product. */
function shadeDiffuse({ guide }: PictureFrame['key'], diffuse: Float32Array, kept: Float32Array): Pass {
  const { width, height } = guide;
  return passOf('denoise', height, (from, to) => {
    for (let i = from * width * 3; i < to * width * 3; i++) diffuse[i] = diffuse[i]! * kept[i]!;
  });
}

function listDenoisePasses(
  { guide }: PictureFrame['key'],
  values: readonly [Float32Array, Float32Array],
  settings: DenoiseSettings,
): Pass[] {
  return Array.from({ length: settings.levels }, (_, level) =>
    passOf('denoise', guide.height, (from, to) =>
      denoiseLevel(guide, settings, level, values[level % 2]!, values[(level + 1) % 2]!, from, to),
    ),
  );
}

function diffuseDenoiseOf(place: PictureFrame['place']): DenoiseSettings {
  return place === undefined ? diffuseDenoise : placeDenoise;
}

/** 1 at the index of each material for which `shows` is true. */
function markMaterials({ materials }: BuiltSet, shows: (material: Material) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, number) => {
    const material = materials[number];
    return material !== undefined && shows(material) ? 1 : 0;
  });
}

/** The denoiser's output. After an even number of levels, it is in the first array of each pair. */
function lightingOf({ key, visibility, indirect, diffuse, glossy, place }: PictureFrame): Lighting {
  return {
    keyGuide: key.guide,
    keyCells: key.cells,
    visibility: visibility[keyDenoise.levels % 2]!,
    indirectGuide: indirect.guide,
    indirectCells: indirect.cells,
    indirect: {
      diffuse: diffuse[diffuseDenoiseOf(place).levels % 2]!,
      glossy: glossy[glossyDenoise.levels % 2]!,
    },
  };
}

/** Blurs and tone maps row by row, because storing the blurred picture would take as much memory as the sharp one. */
function develop({ scene, camera, buffer, linear, picture, place }: PictureFrame, from: number, to: number) {
  const { width, height } = buffer;
  const settings = { width, height, seed: scene.seed, ...scene.tone };
  const isBlurred = place !== undefined || (scene.depthOfField > 0 && scene.view === 'standing');
  const blurred = new Float32Array(isBlurred ? width * 3 : 0);
  for (let row = from; row < to; row++) {
    if (place !== undefined) {
      focusRow(place, { buffer, sharp: linear }, row, blurred);
    } else if (isBlurred) {
      blurRow(camera, scene.depthOfField, buffer, linear, row, blurred);
    }
    const line = isBlurred ? blurred : linear.subarray(row * width * 3, (row + 1) * width * 3);
    toneRow(settings, line, picture, row);
  }
}
