import { describe, expect, it } from 'vitest';
import { dictionary } from './dictionary.ts';
import { measureCoverage } from './measure-coverage.ts';
import { builtIn } from './open-sets.ts';
import { makePlan, planSample } from './testing/plans.ts';

/** What a prompt's words become: the phrases that must be used, and nothing may be left over. */
const phrases = `
marble | white marble | black marble | travertine | limestone | terrazzo | concrete | stone | slate | granite | oak | light wood | walnut
dark wood | barn wood | weathered wood | wooden | plaster wall | clay wall | limewash | linen | tablecloth | silk | velvet | satin | sand
water | glossy | acrylic | paper | steel podium | marble podium | oak podium | gold podium | wooden table | marble table | concrete table
marble counter | kitchen | bathroom | podium | pedestal | plinth | block | cube | steps | stairs | columns | pillar | shelf | ledge
arch | archway | circle | disc | panels | spheres | balls | petals | rose petals | flowers | pebbles | stones | rocks | branches | leaves
eucalyptus | olive branch | palm leaves | monstera | pampas grass | dried flowers | vases | curtain | drapes | folds | draped fabric
dunes | sand dunes | seamless | cyclorama | window light | sunlight | sunny | sunshine | natural light | morning light | golden hour
evening light | blinds | palm shadow | leaf shadow | dappled light | spotlight | beam of light | soft light | softbox | warm light | cosy
hygge | autumn | cool | fresh | winter | moody | dramatic | luxury | premium | elegant | colorful | playful | pop art | pastel | dreamy
romantic | spring | minimalist | clean | modern | japandi | scandinavian | natural | organic | boho | spa | wellness | bright and airy
light and airy | high key | rustic | farmhouse | vintage | industrial | mediterranean | tropical | summer | holiday | breakfast table
blurred background | bokeh | out of focus | fairy lights | string lights | night | city lights | neon lights | bar | restaurant | cafe
sea behind | ocean | by the sea | seaside | beach | harbor | lake | clouds | sky | forest | woods | trees | meadow | grass | park
garden | picnic | outdoors | mist | foggy | sunrise | dawn | sunset | evening | dusk | mountains | hills | landscape | desert
city street | urban | old town | piazza | terrace | living room | at home | bright room | office | hotel lobby | workshop | garage
warehouse | candy pink wall | sage wall | navy wall | terracotta wall | white background | black background | beige wall | sky blue wall
mint green wall | mustard wall | lilac wall | emerald wall | gold accents | red wall | pale blue wall | dark green wall | bubblegum pink
dusty rose wall | cream wall | charcoal wall | teal wall | peach wall | burgundy wall | lavender wall | olive wall | orange wall
Marmor | Holztisch | Podest | Meer | Strand | Wald | Wiese | Fensterlicht | Palmenschatten | Blütenblätter | Leinen | Seide | gemütlich
Herbst | Sommer | rustikal | schlicht | Küche | Bergsee Wasser | rosa Wand | Eiche | Altholz | Lichterkette | Abendlicht | Bogen | Vorhang
marbre | table en bois | socle | mer | plage | forêt | lumière du matin | ombre de palmier | pétales | lin | soie | mur rose | chaleureux | cuisine
mármol | mesa de madera | podio | mar | playa | bosque | luz de la mañana | hojas | lino | seda | pared rosa | acogedor | cocina | atardecer
marmo | tavolo di legno | podio | mare | spiaggia | foresta | luce del mattino | petali | lino | seta | parete rosa | accogliente | cucina | tramonto
`
  .trim()
  .split(/\s*[|\n]\s*/);

describe('plain words for what exists', () => {
  it('are at least 200', () => expect(new Set(phrases).size).toBeGreaterThanOrEqual(200));

  it.each([...new Set(phrases)])('"%s" is shown', (prompt) => {
    const { lists, report } = planSample({ prompt, preset: { lists: 1 } });
    expect(lists[0]!.id).toBe('words');
    expect(report!.notShown).toEqual([]);
    expect(report!.used.length).toBeGreaterThan(0);
  });
});

describe('the dictionary', () => {
  it('has words for every thing, place, light and mood in five languages', () => {
    for (const { tag, words } of dictionary.concepts)
      expect([tag, Object.keys(words)]).toEqual([tag, ['en', 'de', 'fr', 'es', 'it']]);
  });

  it('reaches every set and place by one of its tags', () => {
    const tags = new Set<string>([
      ...dictionary.concepts.map(({ tag }) => tag),
      ...dictionary.materials.map(({ tag }) => tag),
    ]);
    for (const { id, tags: own } of [...builtIn.sets, ...builtIn.places])
      expect(
        own.some((tag) => tags.has(tag)),
        id,
      ).toBe(true);
  });
});

describe('a word is used only if a picture shows it', () => {
  it('and what no set has is told, with the reason', () => {
    const { report } = planSample({ prompt: 'marble podium with candles and a blorptangle' });
    expect(report!.notShown).toEqual([
      { words: 'candles', reason: 'not_drawable' },
      { words: 'blorptangle', reason: 'unknown_word' },
    ]);
  });

  it('and words of other languages are told as not understood', () => {
    expect(planSample({ prompt: 'мрамор' }).report!.notShown).toEqual([
      { words: 'мрамор', reason: 'unknown_word' },
    ]);
  });

  it('and a list of places stays beside a prompt that is half understood', () => {
    const { lists } = planSample({ prompt: 'oak table and a unicorn', preset: { lists: 2 } });
    expect(lists.map(({ id }) => id)).toEqual(['words', 'places']);
  });
});

describe('coverage', () => {
  it('is a share of the picture, without what the product hides', () => {
    const { wall, floor, stand, place } = measureCoverage(makePlan('marble-podium'));
    expect(stand).toBeGreaterThan(0.02);
    expect(wall + floor + stand).toBeLessThan(0.9);
    expect(place).toBe(0);
    expect(measureCoverage(makePlan('sea-sand')).place).toBeGreaterThan(0.2);
  });

  it('finds petals, but not those that the frame hides', () => {
    const plan = makePlan('pastel-petals');
    expect(measureCoverage(plan).shapes.get('petals')).toBeGreaterThan(0.003);
    const away = { ...plan, sideProps: plan.sideProps.map((prop) => ({ ...prop, u: 2 })) };
    expect(measureCoverage(away).shapes.get('petals')).toBe(0);
  });
});
