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
  steps: 'Two steps; the product stands on the upper step.',
  columns: 'A stand among columns.',
  colorblock: 'Plain shapes in strong colors.',
  shelf: 'A shelf on a wall, seen from about the height of the shelf.',
  sweep: 'A floor that curves up into the wall.',
  garden: 'A stand in front of palm leaves.',
  curtain: 'A stand in front of a curtain.',
  drape: 'A low stand on folded cloth.',
  rocks: 'Stones with a flat top.',
  dune: 'Sand to the horizon.',
  water: 'Shallow water around a stand.',
  luxury: 'A dark stage with gold.',
  room: 'A room: floor, baseboard and wall.',
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
sunny park", "am Meer bei Sonnenaufgang", "night city, neon"). The light and the background come from thirteen high-dynamic-range panoramas
in the npm package \`@pmndrs/assets\`: a park, a forest, a field in the mist, a city street, an old square at sunset, a waterfront at
dawn, the open sea, desert hills, a bright room, a bright interior, evening lights, a warehouse and a workshop.

The background is the part of the panorama that the camera sees, with the blur of a lens. The soft light is importance-sampled from
the panorama: brighter areas are sampled more often. The sun or the strongest lamp becomes a separate light on the side from which
the product was lit in its photo. This light is raised to at least 40° above the horizon and comes from beside the product. Under an overcast sky,
a light as broad as a window replaces the sun. So every product casts a shadow. In every place, potted plants with many leaves are lit by a
broad light. Thin products such as plants and lamps stand on a table in a room, at a wall that shows their shadow undistorted. If a prompt
or a preset takes them outdoors, they are lit by a light as small as the sun, even if the place's sky is overcast. It comes nearly from
the camera's direction, because only a sharp shadow behind the product shows its shape ([airy-light.ts](../src/scenes/sets/airy-light.ts)).

The product stands on a worn table, counter or slab, or on sand, seen from the camera elevation from which it was photographed. The
ellipse of an open rim or a round foot, the two lower edges of a box or the feet of a chair reveal this elevation; for other products, a typical
elevation of 13° to 17° is assumed. Furniture seen from the front is shown from about 6°. If it stands on legs and the photo shows no rear
legs, the camera is usually higher: at the lowest elevation from which the body hides the rear legs, but at most 26° (19° in wide pictures,
8° for sofas). From a lower camera, the furniture would seem to stand on two legs. Indoors, furniture stands on a floor of boards in front
of a painted wall. If it is as wide as a sofa, light comes from a window beside it, otherwise from windows in front of it. Outdoors,
furniture stands on a floor that blends into the panorama's ground and takes its colors. The file
[place-views.ts](../src/scenes/places/place-views.ts) lists which directions of
each panorama are shown, and why. If the sun would shine from the other side than the light in the photo, the panorama is mirrored; it
is too blurred for anyone to notice that. The scenes of one list also differ in the surface that the product stands on (stone, marble,
terrazzo, concrete or boards) and, if it stands at a wall, in the wall's paint; paints close to the product's color are used last.

Each kind of product is shown where people use or keep such products ([place-facts.ts](../src/scenes/places/place-facts.ts)):
electronics, lamps and office supplies only indoors, cars and bicycles in a warehouse or workshop, tableware in a room or outdoors, potted plants in a room. A prompt
or a preset can place them elsewhere; evening lights, the open sea and the waterfront appear only if a prompt asks for them, and
plants with thin stems do not stand on dark tables or slabs. Boards, veins and pores
have a realistic size relative to the product, whose length is known from its name or estimated from its shape. The product fills as
much of the picture as its shape allows ([fill-frame.ts](../src/scenes/sets/fill-frame.ts)): a slender product takes up to 74 % of the
height of a wide picture, and a wide product up to 80 % of the width of a tall picture (furniture up to 90 %).
If the rendered picture is square or tall, framed prints hang on the wall above a sofa; in a 9:16 picture, they are larger
([wall-picture.ts](../src/scenes/sets/wall-picture.ts)). The same applies to studio sets.

The place's exposure and white balance are adapted to the color that the product's white parts have in the photo: a white mug that
looks gray in its photo is shown in a slightly darker room. The place gets at most a third of a stop darker, and each color channel
changes by at most an eighth. A product without white parts gives no information about the light in its photo, so the place is not
changed. The product's pixels are never changed, unless [\`mutations.match\`](#light-on-the-product) is set. The list *In a real
place* is not offered for clothes or for products that lie in their photo, or if a preset sets brand colors or only studio styles. In the report about a prompt, real places
are described as blurred, because only the product, the surface under it, and the wall of a room are sharp.

![Eight products in real places, as suggested](images/places.jpg)

To draw this sheet, run \`npm run eval:scenes -- --sheet docs/images/places.jpg --list places --seeds 5\`.

## Products that cannot stand, and cropped products

A product that cannot stand as it was photographed never balances on a corner ([pose.ts](../src/scenes/product/pose.ts)):

- **It lies** if its photo shows it from above. This is assumed for a compact product at an angle, such as a camera; for several things
  spread over the photo; and for something that is upright in the photo although its name says that it cannot stand, such as a pen, a
  spoon or a skateboard. It is shown from above, on a surface.
- **It hangs** if straps, chains or a cord lead out of the photo's upper edge and nothing else does. It is shown in front of a wall, on which its
  shadow falls, or of a blurred place, and its straps lead out of the picture.
- **Its foot is cropped** if the product touches the photo's lower edge along at least 30 % of its width. It is shown in front of a wall
  or a place too, and touches the picture's lower edge, so the edge where the photo ended is not visible.

Plain recipes and your own backdrop draw no shadow on the ground below a product that hangs.

A product that the photo crops on the left, on the right or above touches the same edge of the picture and stands on no podium
([flush.ts](../src/scenes/sets/flush.ts)). If the photo crops it on both sides, it spans the picture, unless the picture is too wide for that. A product that is too wide to reach from the ground to the upper edge ends below it. \`mutations.layout.scale\` keeps it at
the edge; \`x\` and \`y\` move it elsewhere. \`subject.touchesEdges\` of a design names the edges.

## Light on the product

By default, the set's light does not affect the product: the cutout keeps the light of its photo. \`mutations: { "match": "light" }\`
in a render call, a batch, a check or a look (\`--match light\` of \`packshot scene\`, \`match_light\` of the tool \`render\`) grades the
product's pixels to match the scene: overall exposure and white balance, the shadow pattern of a window or a palm, the falloff of
the lamp's light, and the color that the ground reflects onto the product's lower part. That light is traced on the same geometry
that casts the product's shadow. \`match\` works in studio scenes and real places. \`match\` is refused (\`invalid_mutation\`) for plain
recipes and your own backdrop, because their light is not known. The change is recorded in \`photoshop:Instructions\` in the picture's
XMP.

Limits: each channel of each pixel changes by a factor of 0.6 to 1.35 in linear light, the overall exposure by 0.35 stops, and white
balance by 0.06 in OKLab on average (about three just-noticeable differences). The factor varies smoothly, so print on the product
stays legible. Alpha does not change. A photo with a hard flash keeps its highlights. On pale products, the shadow pattern has half
the contrast and takes more of the set's color than on other products, because a gray shadow on white looks like dirt.

A blind judge saw 16 pairs of pictures, in studio scenes and real places, each with and without \`match\`, in random order. Six
products looked better with \`match\` (light products, and products crossed by a window's shadow), three looked better without \`match\`
(two white or pale products on which the shadow pattern looked like dirt, and headphones whose band turned beige), and seven looked
the same (dark, glossy and furry products). Since then, the set's light cools cream products less, and the shadow pattern on pale
products is softer. So try \`match\` on light products, and check the result on white products.

With \`match\`, a preview takes 1.12 times the CPU time on a podium, and 1.03 times in a real place; for a full version, the
difference is within the measurement noise (0.97 times). \`node bench/match-light.ts\` measures the CPU time for the background plate
(the scene without the product) plus the finished picture, alternately with and without \`match\` in one process.`;

const limits = `## What it cannot do

- Anything that is not listed above, such as furnished rooms, people, hands, food, candles, gifts, snow or smoke. Such words change
  nothing, and the response says so.
- Places in focus: the panoramas are 512 x 256 pixels, and can only be used as a blurred background.
- Photorealism up close: leaves, cloth and water look good from a distance; close up, they are visibly 3D models.
- New highlights on the product: \`match\` shades and tints it, but a flash photo still looks like a flash photo. The planner lights
  the set from the side from which the product was lit in the photo.
- Arbitrary camera angles: a product photographed from far above does not look right on a stage seen from the front. The planner
  matches the camera's elevation, up to 30 degrees, if it can be estimated from the product's rim or base. At 22 degrees or more, the
  ground reaches above the product in the picture, or fills the frame.
- New backgrounds behind clear bottles: the background visible through a bottle in the photo stays visible through it in the scene.`;

const stagingWords: Record<Staging, string> = {
  'upright-tall': 'tall products',
  'upright-squat': 'squat products',
  panel: 'flat upright products',
  irregular: 'irregularly shaped products',
  'small-precious': 'small precious products',
  'long-low': 'long low products',
  garment: 'clothes',
  large: 'furniture and other large products',
  hung: 'products that hang, products whose foot the photo crops',
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
with a random seed, and a path tracer renders the set. The engine uses no image model, no weights and no network, and the same
plan always gives the same bytes. The result looks like a **shop window display in 3D**, not like a photograph. The product is part of
the set when the set is drawn, so the renderer of the set also draws the product's shadow and reflection, and the light that the product
exchanges with the set. Then the cutout's own pixels are composited on top, unchanged.

## How a suggestion is made

1. The cutout is measured: outline, colors, direction of the light, height of the camera. Together with the prompt, these measurements
   decide which kind of staging the product gets: that of a tall upright product, a long low one, a small precious one, furniture, and
   so on.
2. The prompt is read ([below](#prompts)). Without a prompt, the kind of product decides the styles.
3. Suggestions come in lists, such as *Picked for your product*. For each list, the planner makes plans that differ in composition
   or color. It uses only compositions that suit the product: [Compositions](#compositions) says which products each composition
   suits, and why. The colors match the product's colors, and the main light comes from the side from which the product was lit in
   the photo. Nothing stands beside the product unless the prompt asks for props, because judges mistook props for merchandise, or
   noticed that the props were rendered. *Picked for your product* uses only calm sets, if there are enough of them. Sets that draw the
   eye appear in the lists of their style or on request: boards (except in a room), podiums of wood, terrazzo, leaf shadows, and room
   floors of stone, marble or travertine. Airy products, such as orchids, get no stand, but a wall close behind them, which receives
   their shadow. Bushy products, such as tulips, get no stand either; they are lit by a large light, in which their shadow fades fast.
   Wide products get a stand only if the photo reveals the height of the camera.
4. A plan contains everything needed to draw its picture again at any time, at any size.

## Compositions

Each composition is shown with products that suit it, in four aspect ratios. Each picture is composed for its aspect ratio, not cropped.

${[...ofComposition].map(([name, pictures]) => `### ${name}\n\n${compositionWords[name]} ${describeSuitability(name)}\n\n${showRow(pictures, 'height="200"')}`).join('\n\n')}

${realPlaces}

## Materials

Painted materials can have any color; natural materials change color only if a prompt asks for it ("green marble"). Leaves, petals
and glass are not listed here: they are materials of props. Water is a composition.

${showGrid([...ofMaterial.values()])}

## Prompts

A prompt is read with a dictionary, without a model. The dictionary has words for colors, materials, shapes, light, mood and places
in English, and the most common of these words in German, French and Spanish; [prompt-words.md](prompt-words.md) lists them. A color
or a material applies to the noun next to it ("blue background and yellow podium"); "no" and "without" exclude the thing named after
them.

The response to \`suggest\` reports the effect of each word. Each word or phrase of the prompt is left out in turn and the scenes are
planned again: only words whose absence changes the scenes are reported as used (\`prompt.used\`), together with their effect. All
other words are in \`prompt.notShown\`, with the reason: for example, no set contains such a thing, the dictionary does not contain
the word, or the word changed nothing in these scenes. A noun identifies the product only if the prompt says so explicitly ("my
sneaker", "photo of a sofa"); otherwise \`productKind\`, the file name and the outline identify the product.

${ofPrompt.map(describePrompt).join('\n\n')}

${limits}
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
