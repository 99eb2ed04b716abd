/**
 * Typical prompts, each with the words that its report must list as used and as not shown. Written by hand from what
 * sets can show. Data only.
 */

export interface OrdinaryPrompt {
  readonly prompt: string;
  /**
   * All words that the report must list as used if the product is an upright cosmetic product. Each entry is
   * "word + word = effect".
   */
  readonly used: readonly string[];
  readonly notShown: readonly string[];
}

const row = (prompt: string, used: string, notShown: string): OrdinaryPrompt => {
  const list = (text: string): string[] => text.split('; ').filter((part) => part !== '');
  return { prompt, used: list(used), notShown: list(notShown) };
};

export const ordinaryPrompts: readonly OrdinaryPrompt[] = [
  row('Christmas with red ornaments and fairy lights', '', 'Christmas; red ornaments; fairy lights'),
  row('bathroom shelf with towels', 'bathroom = marble stand; shelf = shelf on a wall', 'towels'),
  row('beach', 'beach = sand dunes', ''),
  row('city at night, neon lights', 'city at night + neon lights = blurred evening lights', ''),
  row(
    'office desk with laptop and coffee cup',
    'office = blurred bright interior; desk = wooden surface',
    'laptop; coffee cup',
  ),
  row('picnic in the park', 'picnic + park = blurred sunny meadow', ''),
  row('gift boxes with ribbons', '', 'gift boxes; ribbons'),
  row('a hand holding the product', '', 'hand holding'),
  row('marble kitchen counter', 'marble kitchen counter = marble surface', ''),
  row('wooden table in a sunny park', 'wooden table = wooden surface; sunny park = blurred sunny meadow', ''),
  row('autumn leaves', 'autumn = warm light; leaves = leafy branches', ''),
  row('snow', '', 'snow'),
  row("Valentine's day with hearts", '', "Valentine's day; hearts"),
  row('spa with candles and stones', 'spa = leafy branches; stones = stones', 'candles'),
  row('gym floor with dumbbells', '', 'gym; dumbbells'),
  row('baby room with toys', '', 'baby room; toys'),
  row('in a garden', 'garden = palm leaves, leafy branches', ''),
  row('forest floor with moss', 'forest floor + moss = blurred forest', ''),
  row('neon sign on a brick wall', '', 'neon sign; brick wall'),
  row('luxury gold', 'luxury = dark set; gold = gold accents', ''),
  row('minimalist white', 'minimalist = few props; white = white wall', ''),
  row('rustic barn with hay', '', 'rustic; barn; hay'),
  row('sunset', 'sunset = light through a window, warm light', ''),
  row('busy street in Paris', 'street = blurred city street', 'busy; Paris'),
  row('café table with a croissant', 'café table = wooden surface', 'croissant'),
  row('living room with sofa', 'living room = blurred bright room', 'sofa'),
  row('bookshelf', '', 'bookshelf'),
  row('window with rain', 'window = light through a window', 'rain'),
  row('studio grey', 'studio = few props; grey = gray wall', ''),
  row('summer pool', 'summer = shadow of palm leaves, warm light; pool = shallow water', ''),
  row('desert with cactus', 'desert = sand dunes', 'cactus'),
  row('surrounded by flowers', 'flowers = petals', 'surrounded'),
  row('fresh fruit', 'fresh = cool light', 'fruit'),
  row('splash of water', 'water = shallow water', 'splash'),
  row('smoke on black background', 'black background = black wall', 'smoke'),
  row('on a model', '', 'model'),
  row('floating in the air', '', 'floating; air'),
  row('flat lay on linen', 'flat lay = view from above; linen = linen surface', ''),
  row('pastel podium', 'pastel = pale colors; podium = round stand', ''),
  row('eucalyptus leaves', 'eucalyptus leaves = leafy branches', ''),
  row(
    'cozy kitchen counter, morning light, eucalyptus leaves',
    'cozy + morning light = warm light; kitchen counter = marble surface; morning light = light through a window; eucalyptus leaves = leafy branches',
    '',
  ),
  row('sage green wall, next to a sofa', 'sage green wall = sage wall', 'sofa'),
  row('weihnachtlicher Holztisch mit Kerzen', 'Holztisch = wooden surface', 'weihnachtlicher; Kerzen'),
  row(
    'Morgenlicht auf einer Marmorplatte, grüne Wand',
    'Morgenlicht = light through a window, warm light; Marmorplatte = marble surface; grüne Wand = green wall',
    '',
  ),
  row('weißer Hintergrund mit Weihnachtskugeln', 'weißer Hintergrund = white wall', 'Weihnachtskugeln'),
  row(
    'plage au coucher du soleil',
    'plage = sand dunes; coucher du soleil = light through a window, warm light',
    '',
  ),
  row('cuisine avec des citrons', 'cuisine = marble surface', 'citrons'),
  row('fondo azul con globos', 'fondo azul = blue wall', 'globos'),
  row(
    'mesa de madera con flores',
    'mesa + madera = wooden surface; mesa = level surface in front of a wall; flores = petals',
    '',
  ),
  row(
    'tavolo di legno con foglie',
    'tavolo + legno = wooden surface; tavolo = level surface in front of a wall',
    'foglie',
  ),
  row('praia ao pôr do sol', 'pôr do sol = light through a window, warm light', 'praia'),
  row('淡いセージ色の壁、白い大理石の台', '', '淡いセージ色の壁; 白い大理石の台'),
  row('白色大理石台面，晨光', '', '白色大理石台面; 晨光'),
];
