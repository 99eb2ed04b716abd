import { describe, expect, it } from 'vitest';
import { aiStudio } from '../../recipes/presets.ts';
import { openPlace } from '../../studio/places/place-light.ts';
import { placeNames } from '../../studio/places/place-names.ts';
import { measureFrame, scenePlanSchema, stagings } from '../../studio/scene-plan.ts';
import { measureDepth, stageScene } from '../../studio/stage-scene.ts';
import { colorDistance, oklchFromHex } from '../oklch.ts';
import { parsePrompt } from '../parse-prompt.ts';
import { productKinds } from '../product/product-kinds.ts';
import { makeFeatures } from '../testing/silhouettes.ts';
import { azimuthOf } from './aim-key.ts';
import { places, settingOf } from './place-facts.ts';
import { viewsOf } from './place-views.ts';
import { type PlaceRequest, planPlaces } from './plan-places.ts';

const request = (changes: Partial<PlaceRequest> = {}): PlaceRequest => ({
  product: { kind: 'Home & Garden', staging: 'upright-squat' },
  features: makeFeatures(),
  words: undefined,
  ratio: '1:1',
  preset: aiStudio,
  ...changes,
});
const placesFor = (prompt: string): (string | undefined)[] =>
  planPlaces(request({ words: parsePrompt(prompt) }), 4, 1).map(({ plan }) => plan.place?.name);

describe('planPlaces', () => {
  it('plans valid scenes in different places, and the same scenes for the same seed', () => {
    for (const staging of stagings.filter((name) => name !== 'garment')) {
      const wish = request({ product: { kind: 'Unknown', staging } });
      const planned = planPlaces(wish, 4, 3);
      for (const { plan } of planned) expect(scenePlanSchema.safeParse(plan).error?.issues).toBeUndefined();
      expect(new Set(planned.map(({ plan }) => plan.place?.name)).size).toBe(staging === 'large' ? 3 : 4);
      expect(new Set(planned.map(({ title }) => title)).size).toBe(4);
      expect(planPlaces(wish, 4, 3)).toEqual(planned);
    }
  });

  it('matches the exposure and white balance of the place to the photo if the product has white parts', () => {
    const [plain] = planPlaces(request(), 1, 1);
    const [gray] = planPlaces(request({ features: makeFeatures({ white: [0.5, 0.54, 0.6] }) }), 1, 1);
    expect(plain!.plan.tone).toEqual({ exposure: 1, grain: 0.005, vignette: 0.16 });
    expect(gray!.plan.tone.exposure).toBeLessThan(0.9);
    expect(gray!.plan.tone.balance![2]).toBeGreaterThan(gray!.plan.tone.balance![0]);
    expect({ ...gray!.plan, tone: plain!.plan.tone }).toEqual(plain!.plan);
    expect(scenePlanSchema.safeParse(gray!.plan).success).toBe(true);
  });

  it('shows boards in a tall frame only if the prompt asks for wood', () => {
    const materials = (changes: Partial<PlaceRequest>, seed: number): string[] =>
      planPlaces(request(changes), 5, seed).map(({ plan }) => plan.surface.material);
    for (let seed = 0; seed < 20; seed++) expect(materials({ ratio: '9:16' }, seed)).not.toContain('wood');
    expect(materials({ ratio: '1:1' }, 1)).toContain('wood');
    const words = parsePrompt('on a wooden table in a forest');
    expect(new Set(materials({ ratio: '9:16', words }, 1))).toEqual(new Set(['wood']));
  });

  it('shows no polished stone and no painted tables outdoors', () => {
    const product = { kind: 'Sporting Goods', staging: 'irregular' } as const;
    const plans = Array.from({ length: 30 }, (_, seed) => planPlaces(request({ product }), 5, seed)).flat();
    const slabs = plans.filter(({ plan }) => plan.pedestal!.levels[0]!.slabWidth !== undefined);
    expect(slabs.length).toBeGreaterThan(plans.length / 6);
    for (const { plan } of plans) {
      const { material, roughness } = plan.pedestal!.levels[0]!;
      expect(['stone', 'wood']).toContain(material);
      expect(roughness).toBeGreaterThan(0.3);
    }
  });

  it('stays indoors or outdoors if the preset says so, even if the prompt asks for both', () => {
    for (const setting of ['indoor', 'outdoor'] as const) {
      const preset = { name: 'OWN', styles: [setting] };
      for (const words of [undefined, parsePrompt('in a sunny park, or in a workshop')]) {
        const planned = planPlaces(request({ preset, words }), 4, 1);
        if (words === undefined) expect(planned).toHaveLength(4);
        for (const { plan } of planned) expect(settingOf(plan.place!.name)).toBe(setting);
      }
    }
    expect(planPlaces(request({ preset: { name: 'OWN', styles: ['wood'] } }), 4, 1)).toEqual([]);
    expect(planPlaces(request({ preset: { name: 'OWN', palette: ['#B5523A'] } }), 4, 1)).toEqual([]);
  });

  it('shows no clothes, and furniture only on floors', () => {
    expect(planPlaces(request({ product: { kind: 'Unknown', staging: 'garment' } }), 4, 1)).toEqual([]);
    const chairs = planPlaces(request({ product: { kind: 'Furniture', staging: 'large' } }), 6, 1);
    for (const { plan, title } of chairs) {
      expect(places[plan.place!.name].floors).not.toEqual([]);
      expect(title).not.toMatch(/table|counter/);
    }
  });

  it('shows thin products neither in dark places nor on dark tables, marble or stone slabs, unless the prompt asks', () => {
    const features = makeFeatures({ fill: 0.3 });
    for (let seed = 0; seed < 20; seed++)
      for (const { title } of planPlaces(request({ features }), 5, seed))
        expect(title).not.toMatch(/forest|black|dark|marble|terrazzo|granite|slabs/i);
    const words = parsePrompt('in a forest');
    expect(planPlaces(request({ features, words }), 1, 1)[0]!.plan.place!.name).toBe('forest');
  });

  it('stands thin products on tables at walls of different colors, unless prompt or preset asks for outdoors', () => {
    const plansOf = (changes: Partial<PlaceRequest>) =>
      [1, 2, 3].flatMap((seed) =>
        planPlaces(request({ features: makeFeatures({ fill: 0.3 }), ...changes }), 4, seed).map(
          ({ plan }) => plan,
        ),
      );
    const indoors = plansOf({});
    for (const { place, backProps, pedestal } of indoors) {
      const [wall] = backProps;
      const table = pedestal!.levels[0]!;
      expect(places[place!.name].hasWall).toBe(true);
      expect(wall!.z).toBeGreaterThan(-0.8);
      expect(table.z - table.depth / 2).toBeLessThan(wall!.z);
      expect(table.material).not.toBe('wood');
    }
    expect(new Set(indoors.map(({ backProps }) => backProps[0]!.colors[0])).size).toBeGreaterThan(2);
    for (const words of [parsePrompt('in a park'), undefined]) {
      const preset = words ? aiStudio : { name: 'OWN', styles: ['outdoor' as const] };
      for (const { backProps } of plansOf({ words, preset })) expect(backProps).toEqual([]);
    }
  });

  it('shows furniture from where its body hides its rear legs, if the photo does not show them', () => {
    const chair = { kind: 'Furniture', staging: 'large' } as const;
    const seen = (changes: Parameters<typeof makeFeatures>[0]) =>
      planPlaces(request({ product: chair, features: makeFeatures({ aspect: 0.9, ...changes }) }), 4, 1).map(
        ({ plan }) => plan,
      );
    for (const { camera, pedestal } of [...seen({}), ...seen({ clearance: 0.7 })]) {
      expect(camera.elevDeg).toBeLessThan(8);
      const boards = pedestal!.levels[0]!.boardsDeg;
      if (boards !== undefined) expect(Math.abs(boards)).toBeLessThan(45);
    }
    for (const clearance of [0.1, 0.2, 0.28])
      for (const { camera, subject, ratio } of seen({ clearance })) {
        const { distance } = measureFrame({ ratio, subject, camera });
        const depth = measureDepth(subject);
        const eye = distance * Math.tan((camera.elevDeg * Math.PI) / 180);
        expect((eye * depth) / (distance + depth)).toBeGreaterThan(0.99 * clearance * subject.height);
        expect(camera.elevDeg).toBeLessThan(27);
      }
    for (const { camera, pedestal } of seen({ legsElevationDeg: 18 })) {
      expect(camera.elevDeg).toBe(18);
      const boards = pedestal!.levels[0]!.boardsDeg;
      if (boards !== undefined) expect(Math.abs(boards)).toBeGreaterThan(45);
    }
  });

  it('keeps indoor products indoors, for each of 200 seeds, unless the prompt or the preset says otherwise', () => {
    const indoor: readonly PlaceRequest['product'][] = [
      { kind: 'Electronics', staging: 'long-low' },
      { kind: 'Electronics', staging: 'upright-tall' },
      { kind: 'Office Supplies', staging: 'irregular' },
      { kind: 'Software', staging: 'panel' },
      { kind: 'Furniture', staging: 'large' },
      { kind: 'Home & Garden', staging: 'upright-tall', indoors: true },
      { kind: 'Unknown', staging: 'long-low', indoors: true },
      { kind: 'Vehicles & Parts', staging: 'large' },
    ];
    for (const product of indoor) {
      for (let seed = 0; seed < 200; seed++) {
        const planned = planPlaces(request({ product }), 4, seed);
        expect(planned).toHaveLength(4);
        for (const { plan } of planned) expect(settingOf(plan.place!.name)).toBe('indoor');
      }
      const words = parsePrompt('in a sunny park');
      expect(planPlaces(request({ product, words }), 1, 1)[0]!.plan.place!.name).toBe('park');
      const preset = { name: 'OWN', styles: ['outdoor' as const] };
      for (const { plan } of planPlaces(request({ product, preset }), 4, 1)) {
        expect(settingOf(plan.place!.name)).toBe('outdoor');
      }
    }
  });

  it('shows no lamps at night, no open sea and no waterfront unless asked, and no car in a living room', () => {
    for (const kind of productKinds) {
      for (const staging of stagings.filter((name) => name !== 'garment')) {
        for (let seed = 0; seed < 20; seed++) {
          for (const { plan } of planPlaces(request({ product: { kind, staging } }), 4, seed)) {
            expect(['esplanade', 'sky', 'venice']).not.toContain(plan.place!.name);
            if (kind === 'Vehicles & Parts') expect(plan.place!.name).not.toBe('apartment');
          }
        }
      }
    }
  });

  it('finds a ground for light and dark products in each place and aspect ratio', () => {
    for (const place of placeNames)
      for (const ratio of ['1:1', '4:5', '9:16', '16:9'] as const)
        for (const l of [0.2, 0.8])
          for (const staging of stagings.filter((name) => name !== 'garment')) {
            const features = makeFeatures({ meanColor: { l, c: 0.01, h: 90 } });
            const words = { ...parsePrompt(''), places: [place] };
            const product = { kind: 'Unknown', staging } as const;
            const planned = planPlaces(request({ product, features, words, ratio }), 2, 1);
            const isFree = staging !== 'large' || places[place].floors.length > 0;
            expect(planned.length).toBe(isFree ? 2 : 0);
          }
  });

  it('fills the bottom of the picture with the table', () => {
    for (let seed = 0; seed < 50; seed++) {
      for (const { plan } of planPlaces(request(), 4, seed)) {
        const frame = measureFrame(plan);
        const slab = plan.pedestal!.levels[0]!;
        const eye = Math.tan((plan.camera.elevDeg * Math.PI) / 180) * frame.distance;
        const below = plan.camera.baseline * frame.height;
        // The ray through the frame's lower edge meets the table top at this depth.
        expect(slab.z + slab.depth / 2).toBeGreaterThan((frame.distance * below) / (eye + below));
      }
    }
  });

  it('puts furniture in front of a wall with a baseboard, unless only outdoor places are allowed', () => {
    const sofa = { kind: 'Furniture', staging: 'large' } as const;
    for (const aspect of [0.8, 2.9]) {
      const features = makeFeatures({ aspect });
      for (const { plan } of planPlaces(request({ product: sofa, features }), 4, 2)) {
        const [wall, baseboard] = plan.backProps;
        const slab = plan.pedestal!.levels[0]!;
        // The floor ends behind the wall, which fills the frame above the floor.
        expect(slab.z - slab.depth / 2).toBeLessThan(wall!.z);
        expect(wall!.height * measureFrame(plan).height).toBeGreaterThan(measureFrame(plan).height);
        if (baseboard) expect(baseboard.height).toBeLessThan(0.1);
        expect(plan.place!.groundFade).toBeUndefined();
        expect(plan.dof).toBeLessThan(0.01);
      }
    }
    const preset = { name: 'OWN', styles: ['outdoor' as const] };
    const outside = planPlaces(request({ product: sofa, preset }), 4, 2);
    expect(outside).not.toEqual([]);
    for (const { plan } of outside) {
      expect(plan.backProps).toEqual([]);
      expect(plan.place!.groundFade).toBeDefined();
    }
  });

  it('shows no view twice in succession, even in a place that the prompt names', () => {
    for (const name of placeNames.filter((other) => other !== 'sky')) {
      for (let seed = 0; seed < 10; seed++) {
        for (const lightFrom of ['left', 'right'] as const) {
          const features = makeFeatures({ lightFrom });
          const named = { ...parsePrompt(''), places: [name] };
          const headings = planPlaces(request({ features, words: named }), 6, seed).map(
            ({ plan }) => plan.place!.headingDeg,
          );
          headings.slice(1).forEach((heading, index) => {
            expect(heading, name).not.toBe(headings[index]);
          });
        }
      }
    }
  });

  it('shows the same views for products lit from either side, mirrored if the sun is on the other side', () => {
    for (const name of placeNames) {
      const shownTo = (lightFrom: 'left' | 'right') => {
        const words = { ...parsePrompt(''), places: [name] };
        const wish = request({ features: makeFeatures({ lightFrom }), words });
        return planPlaces(wish, viewsOf[name].length, 1).map(({ plan }) => plan.place!);
      };
      const headings = (shown: ReturnType<typeof shownTo>) =>
        [...new Set(shown.map(({ headingDeg }) => headingDeg))].sort();
      expect(headings(shownTo('left'))).toEqual(headings(shownTo('right')));
      const { light } = places[name];
      if (light === undefined || light.latitudeDeg > 70) continue;
      for (const lightFrom of ['left', 'right'] as const) {
        for (const { headingDeg, isMirrored } of shownTo(lightFrom)) {
          const azimuth = azimuthOf(light, headingDeg) * (isMirrored ? -1 : 1);
          expect(azimuth * (lightFrom === 'left' ? -1 : 1)).toBeGreaterThanOrEqual(-10);
        }
      }
    }
  });

  it('shows five different grounds, or walls behind furniture, in a list of five', () => {
    for (let seed = 0; seed < 30; seed++) {
      const camera = { kind: 'Cameras & Optics', staging: 'irregular' } as const;
      const tables = planPlaces(request({ product: camera }), 5, seed).map(
        ({ title }) => title.split(',')[0],
      );
      expect(new Set(tables).size).toBe(5);
      const sofa = { kind: 'Furniture', staging: 'large' } as const;
      const walls = planPlaces(request({ product: sofa }), 5, seed).map(
        ({ plan }) => plan.backProps[0]!.colors[0],
      );
      expect(new Set(walls).size).toBe(5);
    }
  });

  it('puts potted plants on a table in a room, away from the wall, unless only outdoor places are allowed', () => {
    const bushy = makeFeatures({ aspect: 0.54, fill: 0.61, solidity: 0.77, thinness: 0.07 });
    const wish = request({
      product: { kind: 'Home & Garden', staging: 'upright-tall' },
      features: bushy,
    });
    const planned = planPlaces(wish, 4, 1).map(({ plan }) => plan);
    expect(planned.every(({ place }) => settingOf(place!.name) === 'indoor')).toBe(true);
    const atWall = planned.filter(({ backProps }) => backProps.length > 0);
    expect(atWall.length).toBeGreaterThanOrEqual(2);
    for (const { backProps } of atWall) expect(backProps[0]!.z).toBeLessThan(-1.5);
    const outside = planPlaces({ ...wish, preset: { ...aiStudio, styles: ['outdoor'] } }, 4, 1);
    expect(outside.every(({ plan: { place } }) => settingOf(place!.name) === 'outdoor')).toBe(true);
  });

  it('puts wall colors that are close to the color of the furniture last', () => {
    const product = { kind: 'Furniture', staging: 'large' } as const;
    const features = makeFeatures({ mainColor: { l: 0.78, c: 0.018, h: 130 } });
    const distances = planPlaces(request({ product, features }), 6, 1).map(({ plan }) =>
      colorDistance(oklchFromHex(plan.backProps[0]!.colors[0]!), features.mainColor),
    );
    expect(Math.min(...distances)).toBeLessThan(0.02);
    expect(Math.min(...distances.slice(0, 2))).toBeGreaterThan(0.05);
  });

  it('starts with one of a place’s grounds other than boards, depending on the seed', () => {
    const product = { kind: 'Home & Garden', staging: 'upright-squat' } as const;
    const titles = Array.from({ length: 30 }, (_, seed) => planPlaces(request({ product }), 1, seed)).flat();
    const inPark = new Set(titles.map(({ title }) => title).filter((title) => title.includes('meadow')));
    expect(inPark).toEqual(new Set(['Sandstone slabs, sunny meadow', 'Stone slabs, sunny meadow']));
  });

  it('shows the views of rank 1 first', () => {
    for (const name of placeNames) {
      const [first] = planPlaces(request({ words: { ...parsePrompt(''), places: [name] } }), 1, 4);
      const ranks = viewsOf[name].map(({ rank }) => rank);
      const shown = viewsOf[name].find(({ headingDeg }) => headingDeg === first!.plan.place!.headingDeg);
      expect(shown!.rank).toBe(Math.min(...ranks));
    }
  });

  it('lays boards 8 to 20 cm wide below a chair of 1 m and below a sofa of 1.8 m', () => {
    const floor = parsePrompt('wooden floor, bright room');
    for (const [aspect, lengthCm] of [
      [0.8, 100],
      [2.4, 180],
    ] as const) {
      const product = { kind: 'Furniture', staging: 'large' } as const;
      const planned = planPlaces(
        request({ product, words: floor, features: makeFeatures({ aspect }) }),
        4,
        1,
      );
      const wooden = planned.filter(({ plan }) => plan.pedestal?.levels[0]?.material === 'wood');
      expect(wooden).not.toEqual([]);
      for (const { plan } of wooden) {
        const { materials, objects } = stageScene(plan);
        const { plankWidth } = materials[objects[0]!.material]!;
        const boardCm = (plankWidth! * lengthCm) / Math.max(plan.subject.width, plan.subject.height);
        expect(boardCm).toBeGreaterThan(8);
        expect(boardCm).toBeLessThan(20);
      }
    }
  });

  it('lights the place from the side on which the product was lit', () => {
    for (const [lightFrom, sign] of [
      ['left', -1],
      ['right', 1],
    ] as const) {
      const planned = planPlaces(request({ features: makeFeatures({ lightFrom }) }), 8, 5);
      const lit = planned.map(({ plan }) => plan.key).filter(({ intensity }) => intensity > 0);
      expect(lit.length).toBeGreaterThan(2);
      for (const { az } of lit) expect(Math.sign(az)).toBe(sign);
    }
  });

  it('adds a key light to soft light, too, from the side and at least as strong as the other light', () => {
    const planned = planPlaces(request({ words: parsePrompt('city street') }), 4, 1);
    const soft = planned.filter(({ plan }) => places[plan.place!.name].light === undefined);
    expect(soft).not.toEqual([]);
    for (const { plan } of soft) {
      expect(Math.abs(plan.key.az)).toBeGreaterThan(50);
      expect(plan.key.intensity).toBeGreaterThanOrEqual(1);
    }
  });

  it.each([
    ['on a wooden table in a sunny park', 'park'],
    ['marble counter, bright kitchen light', 'apartment'],
    ['night city, neon', 'esplanade'],
    ['by the sea at sunrise', 'venice'],
    ['café', 'esplanade'],
    ['street', 'city'],
    ['evening', 'sunset'],
    ['Holztisch im Wald', 'forest'],
    ['am Meer bei Sonnenaufgang', 'venice'],
    ['table en bois dans la forêt', 'forest'],
    ['mesa de madera en el parque', 'park'],
    ['wooden floor, bright room', 'apartment'],
    ['bright airy room with a wooden floor', 'apartment'],
    ['in a sunny room on parquet', 'apartment'],
    ['bedroom, wood floor', 'apartment'],
    ['Holzboden, heller Raum', 'apartment'],
    ['helles Zimmer mit Parkett', 'apartment'],
    ['parquet, pièce lumineuse', 'apartment'],
    ['suelo de madera, habitación luminosa', 'apartment'],
    ['stanza luminosa, pavimento in legno', 'apartment'],
  ])('reads "%s" as %s', (prompt, place) => {
    expect(placesFor(prompt)[0]).toBe(place);
  });

  it('puts the product on the ground that the prompt names', () => {
    for (const [prompt, material] of [
      ['marble in a forest', 'marble'],
      ['wooden table by the sea', 'wood'],
      ['concrete, city street', 'concrete'],
    ] as const) {
      const planned = planPlaces(request({ words: parsePrompt(prompt) }), 4, 1);
      expect(planned).toHaveLength(4);
      for (const { plan } of planned) expect(plan.pedestal?.levels[0]?.material).toBe(material);
    }
  });

  it('leaves a podium, and a wall of a requested color, to the studio', () => {
    for (const prompt of [
      'marble podium in a forest',
      'green wall on a street',
      'no trees',
      'oak table',
      'pink room',
      'dark room',
    ]) {
      expect(parsePrompt(prompt).places).toEqual([]);
    }
  });

  it('knows where the light of each place is', async () => {
    for (const name of placeNames) {
      const { light } = places[name];
      const { lamp } = await openPlace(name);
      if (light === undefined) {
        expect(Math.max(...lamp.radiance)).toBeLessThan(0.15);
        continue;
      }
      expect(Math.abs(lamp.longitudeDeg - light.longitudeDeg)).toBeLessThan(3);
      expect(Math.abs(lamp.latitudeDeg - light.latitudeDeg)).toBeLessThan(3);
    }
  });
});
