/** The texts of docs/scenes.md. */
import type { WordReport } from '../../src/scenes/report-words.ts';
import { suitability } from '../../src/scenes/sets/setup-suits.ts';
import type { Composition, Material, Staging } from '../../src/studio/scene-plan.ts';
import type { GalleryPicture } from './scene-gallery.ts';

const compositionWords: Record<Composition, string> = {
  podium: 'A rounded cylinder under the product.',
  block: 'A beveled block.',
  table: 'A table top and a wall.',
  arch: 'A low stand in front of an arch.',
  halo: 'A disc on the wall behind the product.',
  steps: 'Two steps; the product stands on the upper one.',
  columns: 'A stand among columns.',
  colorblock: 'Plain shapes in strong colors.',
  shelf: 'A shelf on a wall, seen from about its own height.',
  sweep: 'A floor that curves up into the wall.',
  garden: 'A stand in front of palm leaves.',
  curtain: 'A stand in front of a curtain.',
  drape: 'A low stand on folded cloth.',
  rocks: 'Stones with a flat top.',
  dune: 'Sand to the horizon.',
  water: 'Shallow water around a stand.',
  luxury: 'A dark stage with gold.',
  room: 'A corner of a room: floor, baseboard and wall.',
  flatlay: 'Seen from directly above. Only for products that can lie flat.',
};

export interface PromptPicture extends GalleryPicture {
  readonly report: WordReport;
}

export interface ScenePictures {
  readonly ofComposition: ReadonlyMap<Composition, readonly GalleryPicture[]>;
  readonly ofMaterial: ReadonlyMap<Material, GalleryPicture>;
  readonly ofPrompt: readonly PromptPicture[];
}

const realPlaces = `## Real places

Suggestions include a list *In a real place* beside *Picked for your product*, and prompts may name a place ("on a wooden table in a
sunny park", "am Meer bei Sonnenaufgang", "night city, neon"). Light and background come from thirteen high-dynamic-range panoramas
in the npm package \`@pmndrs/assets\`: a park, a forest, a field in the mist, a city street, an old square at sunset, a waterfront at
dawn, the open sea, desert hills, a bright room, a bright interior, evening lights, a warehouse and a workshop.

The background is the part of the panorama that the camera sees, blurred as by a lens. The soft light is sampled from the panorama by
its brightness. The sun or the strongest lamp becomes a separate light on the side from which the product was lit. It is raised to at
least 32°, and under an overcast sky it is replaced by a light as broad as a window, so that every product casts a shadow.

In front is a worn table, counter or slab, or sand, seen from the height from which the product was photographed. The ellipse of a
round foot, the two lower edges of a box or the feet of a chair reveal that height; for other products, a typical elevation of 13° to
17° is assumed. Furniture indoors stands on a floor of boards or concrete in front of a painted wall, both lit by the place, sometimes
through a window; outdoors it stands on a floor that fades into the place's own and has its colors. The table
[place-views.ts](../src/scenes/places/place-views.ts) lists which directions of each panorama are shown, and why.

The place's exposure and white balance are adapted to the white parts of the product in its photo, by up to a third of a stop darker
and an eighth per channel: a mug that looks gray in its photo stands in a room exposed to match. A product without white parts gives
no information about the light in its photo, so the place is not changed. The product's pixels are never changed, unless
[\`mutations.match\`](#light-on-the-product) is set. There is no such list for clothes, or with presets that restrict styles or colors.
Reports about a prompt call such places blurred, because only the product, what it stands on, and the wall of a room are sharp.

![Eight products in real places, as suggested](images/places.jpg)

The sheet is drawn by \`npm run eval:scenes -- --sheet docs/images/places.jpg --list places --seeds 5\`.

## Light on the product

By default, the set's light does not affect the product: the cutout keeps the light of its photo. \`mutations: { "match": "light" }\` in a
render call, a batch, a check or a look (\`--match light\` of \`packshot scene\`, \`match_light\` of the tool \`render\`) grades its pixels
to the scene: overall exposure and white balance, the shadow pattern of a window or a palm, falloff from the lamp, and
the color that the ground reflects onto its lower part. The light is traced on the same geometry that casts the product's shadow. It works in studio scenes and real places, and is refused
(\`invalid_mutation\`) for plain recipes and your own backdrop, whose light is not known. The change is recorded in
\`photoshop:Instructions\` in the picture's XMP.

Limits: each channel of each pixel changes by a factor of 0.6 to 1.35 in linear light, the overall exposure by 0.35 stops, and white
balance by 0.06 in OKLab on average (about three just noticeable steps). The factor varies smoothly, so print stays legible, and alpha
does not change. A photo with a hard flash keeps its highlights. Pale products get half of the pattern's contrast and more of the set's color in
its shadows, because a gray shadow on white looks like dirt.

A blind judge saw 16 pairs of scenes and places, with and without matching, in random order. Six were better with it (light products,
and products crossed by a window's shadow), three were better without it (two white or pale products on which the shadow pattern looked
like dirt, and headphones whose band turned beige), and seven looked the same (dark, glossy and furry products). Since then, cream
products are cooled less, and the pattern on pale products is softer. So try it on light products, and check white ones.

With it, a preview takes 1.12 times the CPU time on a podium, and 1.03 times in a place; for a full version, the difference is within
the noise (0.97 measured). Measured with \`node bench/match-light.ts\`: plate and picture together, alternately with and without it in
one process.`;

const stagingWords: Record<Staging, string> = {
  'upright-tall': 'tall products',
  'upright-squat': 'squat products',
  panel: 'flat upright products',
  irregular: 'irregularly shaped products',
  'small-precious': 'small precious products',
  'long-low': 'long low products',
  garment: 'clothes',
  large: 'furniture and other large products',
};

function describeSuitability(composition: Composition): string {
  const { well, fairly, because } = suitability[composition];
  const list = (stagings: readonly Staging[]): string =>
    stagings.map((staging) => stagingWords[staging]).join(', ');
  const said = [
    ...(well.length > 0 ? [`Suggested for ${list(well)}`] : []),
    ...(fairly.length > 0 ? [`${well.length > 0 ? 'second' : 'Second'} choice for ${list(fairly)}`] : []),
  ];
  return `${said.length > 0 ? said.join('; ') : 'Only on request'}. ${because}`;
}

export function describeScenes({ ofComposition, ofMaterial, ofPrompt }: ScenePictures): string {
  return `# Studio scenes

Generated by \`npm run gallery\` with the real cutout, planner and renderer; do not edit. How the scenes are
measured: [scenes-quality.md](scenes-quality.md).

The Studio engine draws sets for products. It is **procedural**: a planner chooses shapes, materials, colors and light from tables
with a random seed, and a path tracer draws them. It uses no image model, no weights and no network, and the same plan gives the
same bytes. The result looks like a **shop window display in 3D**, not like a photograph. The product is part of the set when the
set is drawn, so its shadow, its reflection and the light that it exchanges with the set come from the same renderer. Then the
cutout's own pixels are composited on top, unchanged.

## How a suggestion is made

1. The cutout is measured: outline, colors, direction of the light, height of the camera. Together with the prompt, these decide how
   the product is set up: tall and upright, low and long, small and precious, as large as furniture, and so on.
2. The prompt is read (below). Without one, the kind of product chooses the styles.
3. For each list, the planner makes plans that differ in composition or color, using only compositions that suit the product; each
   composition below says which products it suits, and why. Colors match the product's; the main light comes from the side from which
   the photo was lit. Nothing stands beside the product unless the prompt asks for it, because judges mistook props for merchandise,
   or noticed that they were rendered.
4. A plan contains everything needed to draw its picture again at any time, at any size.

## Compositions

Each composition is shown in four aspect ratios, composed for each one rather than cropped, with products that suit it.

${[...ofComposition].map(([name, pictures]) => `### ${name}\n\n${compositionWords[name]} ${describeSuitability(name)}\n\n${showRow(pictures, 'height="200"')}`).join('\n\n')}

${realPlaces}

## Materials

Painted materials can have any color; natural ones change color only if a prompt asks for it ("green marble"). Leaves, petals and
glass are used for props, and water is a composition.

${showGrid([...ofMaterial.values()])}

## Prompts

A prompt is read with a dictionary, without a model: colors, materials, shapes, light, mood and places in English, and
the most common ones in German, French and Spanish; [prompt-words.md](prompt-words.md) lists them. A color or a
material applies to the noun next to it ("blue background and yellow podium"); "no" and "without" exclude something.

The response to \`suggest\` reports the effect of each word. Each word or phrase of the prompt is left out in turn and the
scenes are planned again: only words whose absence changes the scenes are reported as used (\`prompt.used\`), together with
their effect. All others are in \`prompt.notShown\`, with the reason: no set contains such a thing, the dictionary does not
contain the word, or it changed nothing here. A noun identifies the product only if the prompt says so explicitly ("my
sneaker", "photo of a sofa"); otherwise \`productKind\`, the file name and the outline do.

${ofPrompt.map(describePrompt).join('\n\n')}

## What it cannot do

- Anything that is not listed above: no furnished rooms, people, hands, food, candles, gifts, snow or smoke. Such words change
  nothing, and the response says so.
- Places in focus: the panoramas are 512 x 256 pixels, and can only be used as a blurred background.
- Photographs: leaves, cloth and water look good from a distance; close up they are 3D models.
- New highlights on the product: \`match\` shades and tints it, but a flash photo still looks like a flash photo. The planner lights the
  set from the side from which the photo was lit.
- Any camera angle: a product photographed from far above does not look right on a stage seen from the front. The planner matches the camera's
  elevation, up to 25 degrees, if it can be measured at the product's base.
- Glass: what shows through a bottle in the photo also shows through it in the scene.
`;
}

function showRow(pictures: readonly GalleryPicture[], size: string): string {
  return pictures.map(({ path, caption }) => `<img src="${path}" ${size} alt="${caption}">`).join('\n');
}

const COLUMNS = 4;

function showGrid(pictures: readonly GalleryPicture[]): string {
  const cells = pictures.map(
    ({ path, caption }) => `<img src="${path}" width="200" alt="${caption}"><br>${caption}`,
  );
  const rows = ['|  |  |  |  |', '|---|---|---|---|'];
  for (let at = 0; at < cells.length; at += COLUMNS) {
    rows.push(`| ${cells.slice(at, at + COLUMNS).join(' | ')} |`);
  }
  return rows.join('\n');
}

function describePrompt({ path, caption, report }: PromptPicture): string {
  const used = report.used.map(({ words, effect }) => `${words.join(' and ')} → ${effect}`);
  const unused = report.notShown.map(({ words }) => words);
  const read = `${used.join('; ')}${unused.length > 0 ? `. Not shown: ${unused.join(', ')}` : ''}`;
  return `<img src="${path}" width="200" alt="${caption}">\n\n"${caption}": ${read}.`;
}
