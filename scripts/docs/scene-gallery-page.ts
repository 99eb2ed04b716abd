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
  room: 'A corner of a room: floor, skirting and wall.',
  flatlay: 'Seen from straight above. Only for what can lie flat.',
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

A list *In a real place* beside *Picked for your product*, and the answer to a prompt that names a place ("on a wooden table in a
sunny park", "am Meer bei Sonnenaufgang", "night city, neon"). Thirteen panoramas in high dynamic range, which come with the npm
package \`@pmndrs/assets\`, are the light and the background: a park, a forest, a field in the mist, a city street, an old square at
sunset, a waterfront at dawn, the open sea, desert hills, a bright room, a bright interior, evening lights, a warehouse and a
workshop. The background is the part of the panorama that the camera sees, thrown out of focus by an aperture's disc. The soft light
is sampled from the panorama by its brightness. The sun or the strongest lamp becomes a light of its own on the side that the
product was lit from; it is raised to at least 32°, and under an overcast sky a light as broad as a window takes its place, so that
every product casts a shadow. In front is a table, a counter, a slab or sand with the wear of use, seen from the height that the
product was photographed from: the ellipse of a round foot, the two lower edges of a box and the feet of a chair reveal it; other
products are taken to be seen from the usual 13° to 17°. Furniture indoors
stands on a floor of boards or concrete before a painted wall, both lit by the place, some through a window; outdoors it stands on a floor in the colors of
the place's own, into which it passes. Which directions of a panorama are shown, and why, is a table:
[place-views.ts](../src/scenes/places/place-views.ts).
Exposure and white balance of the place follow the white parts of the product in its photo, by up to a third of a stop darker and an
eighth of a channel: a mug that its photo shows gray stands in a room exposed for it. A product without white parts tells nothing of
its photo's light, and the place stays as it is. The product's pixels stay as they are, unless
[\`mutations.match\`](#light-on-the-product) asks for more. Clothes have no such list; presets that restrict styles or colors neither.
Such a scene is told as blurred, because it is: but for a room's wall, nothing in it is sharp but the product and what it stands on.

![Eight products in real places, as suggested](images/places.jpg)

The sheet is drawn by \`npm run eval:scenes -- --sheet docs/images/places.jpg --list places --seeds 5\`.

## Light on the product

By default, the set's light does not affect the product: the cutout keeps the light of its photo. \`mutations: { "match": "light" }\` in a
render call, a batch, a check or a look (\`--match light\` of \`packshot scene\`, \`match_light\` of the tool \`render\`) grades its pixels
to the scene: overall exposure and white balance, the shadow pattern of a window or a palm, falloff from the lamp, and
the color that the ground reflects onto its lower part. The light is traced on the geometry that casts the product's shadow. This is
off by default, works in studio scenes and real places, and is refused (\`invalid_mutation\`) for plain recipes and your own backdrop, whose
light is not known. The picture's XMP states the change in \`photoshop:Instructions\`.

Limits: each channel of each pixel changes by a factor of 0.6 to 1.35 in linear light, the overall exposure by 0.35 stops, and white
balance by 0.06 in OKLab on average (about three just visible steps). The factor is smooth, so that print stays legible, and alpha does not
change. A photo with a hard flash keeps its highlights. Pale products get half of the pattern's contrast and more of the set's color in
its shadows, because a gray shadow on white looks like dirt.

A blind judge saw 16 pairs of scenes and places, with and without matching, in random order (before cream products
were cooled less, and before the pattern on pale products was softened): with it 6 were better (light products, and wherever a window's shadow crosses them), without it 3 (two white or pale
products on which the shadow pattern looked like dirt, and headphones whose band turned beige), and 7 looked the same (dark, glossy and furry
products). So try it on light products, and check white ones.

It takes 1.12 times the CPU time of a preview on a podium, 1.03 times in a place; for a full version the difference is within the noise
(0.97 measured): \`node bench/match-light.ts\`, plate and picture together, with and without in one process in turn.`;

const stagingWords: Record<Staging, string> = {
  'upright-tall': 'tall things',
  'upright-squat': 'squat things',
  panel: 'flat upright things',
  irregular: 'things of irregular shape',
  'small-precious': 'small precious things',
  'long-low': 'long low things',
  garment: 'clothes',
  large: 'furniture and other large things',
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
and a random seed, and a path tracer draws them. It uses no image model, no weights and no network, and the same plan gives the
same bytes. The result looks like a **shop window display in 3D**, not like a photograph. The product is part of the set while it is
drawn, so its shadow, its reflection and the light between it and the set come from the same renderer; then the cutout's own pixels
are laid over it unchanged.

## How a suggestion is made

1. The cutout is measured: outline, colors, direction of the light, height of the camera. Together with the prompt, these decide how
   the product is set up: tall and upright, low and long, small and precious, as large as furniture, and so on.
2. The prompt is read (below). Without one, the kind of product chooses the styles.
3. For each list, plans are made that differ in composition or color, from those that suit the product; what suits what, and why, is
   said with each composition below. Colors match the product's; the main light comes from the side that the photo was lit from.
   Nothing stands beside the product unless the prompt asks for it: judges take props for merchandise, or see that they are rendered.
4. A plan is complete: its picture can be drawn again at any time, at any size.

## Compositions

Each in four aspect ratios, composed for each one rather than cropped, with products that suit it.

${[...ofComposition].map(([name, pictures]) => `### ${name}\n\n${compositionWords[name]} ${describeSuitability(name)}\n\n${showRow(pictures, 'height="200"')}`).join('\n\n')}

${realPlaces}

## Materials

Painted materials take any color, natural ones if a prompt asks for it ("green marble"). Leaves, petals and glass are for props, and
water is a composition.

${showGrid([...ofMaterial.values()])}

## Prompts

A prompt is read with a dictionary, without a model: colors, materials, shapes, light, mood and places in English, and
the most common ones in German, French and Spanish; [prompt-words.md](prompt-words.md) lists them. A color or a
material belongs to the noun beside it ("blue background and yellow podium"); "no" and "without" keep a thing out.

The answer to \`suggest\` reports what became of the words. Each word or phrase of the prompt is left out in turn and the
scenes are planned again: only words whose absence changes the scenes are reported as used (\`prompt.used\`), with what
they became. All others are in \`prompt.notShown\`, with the reason: no set has such a thing, the dictionary does not
know the word, or it changed nothing here. Nouns never say what the product is, unless the prompt says so outright ("my
sneaker", "photo of a sofa"): what the product is comes from \`productKind\`, its file name and its outline.

${ofPrompt.map(describePrompt).join('\n\n')}

## What it cannot do

- Other things than those above: no furnished rooms, people, hands, food, candles, gifts, snow or smoke. Such words change nothing,
  and the answer says so.
- Places in focus: the panoramas have 512 x 256 pixels, and are a background only while they are blurred.
- Photographs: leaves, cloth and water look good from a distance; close up they are 3D models.
- New highlights on the product: \`match\` shades and tints, but a flash photo still looks like a flash photo. The planner lights the set
  from the side that the photo was lit from.
- Any camera angle: a product photographed from far above does not look right on a stage seen from the front. The planner follows the
  camera if it can measure it at the product's base, up to 25 degrees.
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
