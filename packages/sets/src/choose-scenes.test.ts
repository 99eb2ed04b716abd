import { describe, expect, it } from 'vitest';
import { variants } from '../../pixels/ratios.ts';
import { measureFrame, type ScenePlan, scenePlanSchema } from '../../studio/src/scene-plan.ts';
import { fitFile } from './fit-file.ts';
import { builtIn } from './open-sets.ts';
import { suitAs } from './product-suit.ts';
import { planSample, plansIn } from './testing/plans.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const files = [...builtIn.sets, ...builtIn.places];
const lists = { lists: 2 };

/** Forty photos of one shop: several kinds of shapes and colors, each with the seed of its design. */
const shop = Array.from({ length: 40 }, (_, photo) => ({
  seed: 1000 + photo,
  staging: (['upright-tall', 'upright-squat', 'irregular', 'long-low', 'small-precious'] as const)[
    photo % 5
  ]!,
  features: makeFeatures({
    aspect: 0.5 + (photo % 7) / 5,
    mainColor: { l: 0.55, c: 0.1, h: (photo * 47) % 360 },
    viewElevationDeg: 8 + (photo % 5) * 2,
  }),
}));

describe('the lists of scenes', () => {
  it('are the same for the same request, seed and page', () => {
    for (const wish of [{}, { prompt: 'oak table' }, { seed: 7, page: 3 }])
      expect(planSample(wish)).toEqual(planSample(wish));
  });

  it('differ with the seed', () => {
    const titles = (seed: number) =>
      planSample({ seed }).lists.map((list) => list.scenes.map(({ title }) => title));
    expect(titles(1)).not.toEqual(titles(2));
  });

  it('continue on the next page, without a repetition until all sets were shown', () => {
    const setsOn = (page: number) => planSample({ page, preset: lists }).lists[0]!.scenes.map(({ id }) => id);
    const seen = [1, 2, 3, 4].flatMap(setsOn);
    expect(new Set(seen).size).toBe(16);
  });

  it('show 40 photos of one shop in at least 25 sets, in their first picks of two pages', () => {
    const first = shop.flatMap((photo) =>
      [1, 2].map((page) => planSample({ ...photo, page, preset: lists }).lists[0]!.scenes[0]!.id),
    );
    expect(new Set(first).size).toBeGreaterThanOrEqual(25);
  });

  it('name the stand that a prompt asks for in each of its titles, whatever else the set shows', () => {
    for (const photo of shop) {
      const { lists: found } = planSample({ ...photo, prompt: 'white marble podium', preset: lists });
      for (const { title } of found[0]!.scenes) expect(title).toMatch(/^Marble podium/);
    }
  });

  it('are not empty, however far apart the lowest points of the photo are', () => {
    const contacts = [{ x: 0.35, y: 0.42 }];
    const ground = { ...makeFeatures().ground, contacts, floatOdds: -2 };
    const odd = { scatter: 0.7, thinness: 0.1, turnDeg: 20, cropped: { bottom: 0.5 } };
    for (const [name, value] of Object.entries({ ...odd, legs: 4 })) {
      const { lists: found } = planSample({ features: makeFeatures({ ground, [name]: value }) });
      expect(found[0]?.scenes.length, name).toBe(4);
    }
  });

  it('let an open vessel stand whose ground is unclear: on tables and in places, from above on tables', () => {
    const ground = { ...makeFeatures().ground, floatOdds: 3 };
    for (const [deg, expected] of [
      [15, true],
      [23, false],
    ] as const) {
      const features = makeFeatures({ ground, viewElevationDeg: deg, rimElevationDeg: deg });
      const { lists: found } = planSample({ features, preset: { lists: 9 } });
      const scenes = found.flatMap((list) => list.scenes);
      expect(scenes.some(({ tags }) => tags.includes('table') && !tags.includes('place'))).toBe(true);
      expect(scenes.some(({ plan }) => plan.place !== undefined)).toBe(expected);
      expect(scenes.some(({ plan }) => plan.pedestal !== null)).toBe(expected);
      expect(new Set(scenes.map(({ plan }) => plan.subject.lies))).toEqual(new Set([true]));
    }
  });

  it('show a light or a time that is all a prompt asks for, but less than its things and places', () => {
    const tagsFor = (prompt: string) =>
      planSample({ prompt, preset: lists }).lists[0]!.scenes.map(({ tags }) => tags);
    for (const tags of tagsFor('night')) expect(tags).toContain('night');
    for (const prompt of ['sandy beach at sunset', 'city at night'])
      expect(tagsFor(prompt)[0]).toContain(prompt.includes('beach') ? 'beach' : 'city');
  });

  it('fill the frame between the edges that crop a product above, below and on one side', () => {
    const cropped = { top: 0.3, right: 0.8, bottom: 0.8 };
    const { lists: found } = planSample({ features: makeFeatures({ aspect: 0.9, cropped }) });
    for (const { plan } of found.flatMap((list) => list.scenes))
      expect(plan.subject.height / measureFrame(plan).height).toBeCloseTo(1, 2);
  });

  it('let a product that no ground fits rest on its whole lower outline', () => {
    const ground = { ...makeFeatures().ground, floatOdds: 1 };
    const rests = (features: ReturnType<typeof makeFeatures>) =>
      planSample({ features }).lists[0]!.scenes.map(({ plan }) => plan.subject.lies);
    expect(new Set(rests(makeFeatures({ ground })))).toEqual(new Set([true]));
    expect(new Set(rests(makeFeatures()))).toEqual(new Set([undefined]));
  });

  it('name no ground, and fill no list with one set, for a product that stands on nothing', () => {
    const cropped = makeFeatures({ cropped: { bottom: 0.6 } });
    const { lists: found } = planSample({ features: cropped });
    for (const { id, scenes } of found) {
      expect(new Set(scenes.map((scene) => scene.id)).size).toBeGreaterThan(1);
      if (id === 'places') for (const { title } of scenes) expect(title).not.toMatch(/, /);
    }
  });

  it('repeat no title in more than a fifth of the pictures of 20 designs', () => {
    for (const from of [0, 20]) {
      const shown = shop.slice(from, from + 20).map((photo) => planSample({ ...photo, preset: lists }).lists);
      for (const number of [0, 1]) {
        const titles = shown.flatMap((all) => all[number]!.scenes.map(({ title }) => title));
        for (const title of new Set(titles)) {
          const share = titles.filter((other) => other === title).length / titles.length;
          expect(share, title).toBeLessThanOrEqual(0.2);
        }
      }
    }
  });

  it('leave out excluded tags and sets', () => {
    const exclude = ['marble', 'forest', 'quiet-podium'];
    for (const page of [1, 2, 3]) {
      const scenes = planSample({ exclude, page, preset: { ...lists, perList: 6 } }).lists.flatMap(
        (list) => list.scenes,
      );
      for (const { tags, id } of scenes)
        expect([...tags, id].some((tag) => exclude.includes(tag))).toBe(false);
    }
  });

  it('paint walls exactly in the brand colors', () => {
    const palette = ['#AA3344', '#F4F1EA'];
    for (const plan of plansIn(planSample({ preset: { palette } })))
      expect(palette).toContain(plan.palette[0]);
  });

  it('follow the color of the product', () => {
    const wallsFor = (h: number) =>
      plansIn(planSample({ features: makeFeatures({ mainColor: { l: 0.55, c: 0.12, h } }) })).map(
        ({ palette }) => palette[0],
      );
    expect(wallsFor(20)).not.toEqual(wallsFor(200));
  });
});

describe('a product that does not stand', () => {
  it.each([
    ['lies', { scatter: 0.7, thinness: 0.1 }],
    ['hangs', { cropped: { bottom: 0.9 } }],
    ['was photographed from above', { viewElevationDeg: 27 }],
  ])('gets neither a stand nor a place’s table if it %s', (_what, changes) => {
    for (const page of [1, 2, 3]) {
      const plans = plansIn(planSample({ features: makeFeatures(changes), page }));
      expect(plans.length).toBeGreaterThan(3);
      for (const { pedestal } of plans) expect(pedestal).toBeNull();
    }
  });
});

it('shows a product that no ground fits on paper, never from above', () => {
  const ground = { contacts: [], floatOdds: 1, tipDeg: 20, seenFromAbove: false };
  for (const page of [1, 2]) {
    const plans = plansIn(planSample({ features: makeFeatures({ ground }), page }));
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.map(({ composition }) => composition)).toEqual(plans.map(() => 'sweep'));
  }
});

describe('a product that its photo crops', () => {
  const pixelsOf = (plan: ScenePlan) => {
    const { height } = measureFrame(plan);
    return { height: plan.subject.height / height, flush: plan.camera.flushWith };
  };

  it.each([
    ['at a leg', { bottom: 0.05 }],
    ['below', { bottom: 0.9 }],
  ])('%s touches the lower edge of every picture', (_where, cropped) => {
    const plans = plansIn(planSample({ features: makeFeatures({ cropped }) }));
    expect(plans.map(pixelsOf).map(({ flush }) => flush)).toEqual(plans.map(() => 'bottom'));
  });

  it('above and below is as high as the picture', () => {
    const features = makeFeatures({ aspect: 0.5, cropped: { top: 0.2, bottom: 0.6 } });
    for (const plan of plansIn(planSample({ features }))) expect(pixelsOf(plan).height).toBeCloseTo(1);
  });
});

describe('every set and place', () => {
  it.each(files.map((file) => [file.id, file] as const))(
    '%s makes a valid plan for every product that it names',
    (_id, file) => {
      for (const suit of [...file.offered, ...file.asked]) {
        for (const [turn, ratio] of variants.entries()) {
          const product = suitAs(suit, makeFeatures({ aspect: suit === 'long-low' ? 2.2 : 0.7 }), 28);
          const plan = fitFile(file, { product, ratio, turn, seed: turn });
          expect(scenePlanSchema.parse(plan)).toEqual(plan);
          if (plan.pedestal) expect(plan.camera.elevDeg).toBeLessThanOrEqual(20);
        }
      }
    },
  );

  it('is one of about 100, of every style and for every product', () => {
    expect(builtIn.sets.length).toBeGreaterThanOrEqual(80);
    expect(builtIn.places.length).toBeGreaterThanOrEqual(20);
    for (const suit of [
      'upright-tall',
      'long-low',
      'panel',
      'large',
      'lying',
      'hung',
      'worn',
      'unclear',
    ] as const)
      expect(files.filter(({ offered }) => offered.includes(suit)).length, suit).toBeGreaterThanOrEqual(4);
  });
});
