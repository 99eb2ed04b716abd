/** Color words in English, German, French and Spanish, with their OKLCH values. Data only. */
import type { Oklch } from '../oklch.ts';

export interface NamedColor extends Oklch {
  readonly name: string;
  /**
   * On a podium or on accents ("navy with gold"), the word means the metal; walls and floors are painted in its color.
   */
  readonly isMetal: boolean;
}

export interface ColorEntry {
  readonly color: NamedColor;
  /** English words and phrases; `de` words accept German endings; `romance` words follow their noun. */
  readonly en: readonly string[];
  readonly de: readonly string[];
  readonly romance: readonly string[];
}

const words = (text: string): string[] => text.split(',').filter((word) => word !== '');

const color = (
  name: string,
  [l, c, h]: readonly [number, number, number],
  en: string,
  de = '',
  romance = '',
  isMetal = false,
): ColorEntry => ({
  color: { name, l, c, h, isMetal },
  en: [name, ...words(en)],
  de: words(de),
  romance: words(romance),
});

/**
 * Lightness, chroma, hue. Common colors are tuned on rendered sets to match studio wall paint, which is paler
 * than a crayon of the same name. The others are the CSS colors, toned down to match.
 */
export const colorEntries: readonly ColorEntry[] = [
  color('red', [0.6, 0.19, 27], 'scarlet,crimson', 'rot', 'rouge,rouges,rojo,roja,rojos,rojas'),
  color('burgundy', [0.38, 0.1, 15], 'bordeaux,wine red,maroon,oxblood', 'weinrot,bordeaux', 'granate'),
  color('coral', [0.74, 0.13, 30], 'salmon', 'koralle,lachs', 'corail,saumon'),
  color('pink', [0.84, 0.07, 5], 'baby pink', 'rosa', 'rosado,rosada'),
  color('magenta', [0.62, 0.2, 350], 'fuchsia,hot pink', 'pink', 'fucsia'),
  color('blush', [0.86, 0.045, 35], 'nude,blush pink', 'puder'),
  color('rose', [0.78, 0.08, 12], 'dusty rose,old rose', 'altrosa', 'roses'),
  color('peach', [0.86, 0.07, 60], 'apricot', 'pfirsich,aprikose', 'peche,abricot,melocoton,durazno'),
  color('orange', [0.76, 0.15, 60], 'tangerine', 'orange', 'naranja'),
  color(
    'terracotta',
    [0.62, 0.11, 42],
    'terra cotta,rust,rusty,burnt orange',
    'terrakotta,rost',
    'terracota',
  ),
  color('yellow', [0.88, 0.14, 95], 'lemon', 'gelb', 'jaune,jaunes,amarillo,amarilla'),
  color('mustard', [0.75, 0.13, 85], 'ochre,ocher', 'senf,ocker', 'moutarde,mostaza'),
  color(
    'gold',
    [0.78, 0.12, 85],
    'golden,brass',
    'gold,golden,messing',
    'dore,doree,dorado,dorada,oro',
    true,
  ),
  color('rose gold', [0.76, 0.08, 40], '', 'rosegold', '', true),
  color('copper', [0.64, 0.11, 48], 'bronze', 'kupfer,bronze', 'cuivre,cobre', true),
  color('silver', [0.8, 0.005, 250], 'chrome', 'silber,silbern', 'argent,plateado,plata', true),
  color('beige', [0.88, 0.03, 80], 'nude beige', 'beige,sandfarben', 'arena'),
  color('cream', [0.94, 0.025, 90], 'ivory,creme,eggshell', 'creme,elfenbein', 'crema,marfil,ivoire'),
  color('camel', [0.72, 0.08, 70], 'tan,caramel', 'karamell', 'caramelo'),
  color('taupe', [0.65, 0.02, 65], 'greige', 'taupe'),
  color('brown', [0.5, 0.06, 55], 'chocolate,coffee brown', 'braun', 'brun,brune,marron,color cafe'),
  color('green', [0.65, 0.11, 145], '', 'grun,gruen', 'vert,verte,verts,vertes,verde,verdes'),
  color('sage', [0.78, 0.04, 135], 'sage green', 'salbei,salbeigrun', 'sauge,salvia'),
  color('olive', [0.62, 0.07, 115], 'olive green,khaki,moss green', 'oliv', 'oliva,kaki'),
  color('lime', [0.85, 0.16, 125], 'lime green,chartreuse', 'limette', 'citron vert,lima'),
  color('mint', [0.9, 0.06, 165], 'mint green,pistachio', 'minze,mint', 'menthe,menta'),
  color('emerald', [0.42, 0.09, 165], 'emerald green', 'smaragd,smaragdgrun', 'emeraude,esmeralda'),
  color('forest green', [0.4, 0.07, 150], 'dark forest green,bottle green', 'tannengrun', 'vert sapin'),
  color('teal', [0.6, 0.08, 195], 'petrol', 'petrol'),
  color('turquoise', [0.78, 0.09, 195], 'aqua,cyan', 'turkis,tuerkis', 'turquesa'),
  color('blue', [0.6, 0.13, 255], 'denim blue', 'blau', 'bleu,bleue,bleus,bleues,azul,azules'),
  color('cobalt', [0.5, 0.18, 262], 'cobalt blue,royal blue,electric blue', 'konigsblau,kobalt', 'cobalto'),
  color(
    'navy',
    [0.33, 0.07, 260],
    'navy blue,midnight blue',
    'marineblau,nachtblau',
    'bleu marine,azul marino',
  ),
  color('sky', [0.85, 0.06, 235], 'sky blue,baby blue,powder blue', 'himmelblau', 'bleu ciel,celeste'),
  color('indigo', [0.42, 0.13, 280], '', 'indigo'),
  color('lilac', [0.82, 0.06, 300], 'mauve', 'flieder', 'lilas,lila'),
  color('lavender', [0.82, 0.06, 295], 'periwinkle', 'lavendel', 'lavande,lavanda'),
  color(
    'purple',
    [0.52, 0.13, 300],
    'violet',
    'lila,violett',
    'violet,violette,morado,morada,purpura,violeta',
  ),
  color('plum', [0.42, 0.09, 335], 'aubergine,eggplant', 'pflaume', 'prune,ciruela'),
  color('gray', [0.72, 0.004, 260], 'grey,ash', 'grau', 'gris,grise,grises'),
  color('charcoal', [0.36, 0.006, 260], 'anthracite,graphite', 'anthrazit', 'antracita'),
  color('black', [0.26, 0.004, 260], 'jet black', 'schwarz', 'noir,noire,noirs,noires,negro,negra'),
  color('white', [0.96, 0.004, 90], 'off white,snow white', 'weiss', 'blanc,blanche,blancs,blanco,blanca'),
];

/** A word that modifies the color or material after it (in French and Spanish, before it). */
export interface Tint {
  readonly name: string;
  /** Added to the lightness. */
  readonly lighten: number;
  /** Multiplies the chroma. */
  readonly strengthen: number;
  /** Mood that the word requests if it modifies no color or material. */
  readonly mood: 'dark' | 'bold' | 'pastel' | 'none';
}

export const tintEntries: readonly (readonly [Tint, string])[] = [
  [
    { name: 'light', lighten: 0.1, strengthen: 0.65, mood: 'none' },
    'light,soft,hell,helle,clair,claire,claro,clara',
  ],
  [
    { name: 'pale', lighten: 0.1, strengthen: 0.6, mood: 'pastel' },
    'pale,pastel,pastels,powdery,blass,zart,zarte,pastell,suave',
  ],
  [
    { name: 'dark', lighten: -0.2, strengthen: 0.9, mood: 'dark' },
    'dark,deep,dunkel,dunkle,dunkler,dunkles,dunklem,tief,fonce,foncee,oscuro,oscura,sombre',
  ],
  [
    { name: 'vivid', lighten: 0, strengthen: 1.35, mood: 'bold' },
    'bright,vivid,bold,vibrant,neon,electric,saturated,knallig,vif,vive,intenso',
  ],
  [
    { name: 'muted', lighten: 0, strengthen: 0.55, mood: 'none' },
    'muted,dusty,faded,desaturated,dusky,gedeckt,apagado',
  ],
];
