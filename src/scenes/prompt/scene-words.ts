/**
 * Words for parts of a set, props, light and mood, and what each requests; then function words. English, German, French
 * and Spanish, with some Italian and Portuguese. Data only.
 */
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Composition, GoboKind, Material, Shape } from '../../studio/scene-plan.ts';

/** Parts of a set that can have a color or a material. */
export type Place = 'wall' | 'floor' | 'pedestal' | 'accent';

export type Mood = 'dark' | 'bold' | 'pastel' | 'minimal' | 'natural';

export interface PlaceWord {
  readonly place: Place;
  readonly composition?: Composition;
  readonly shape?: Shape;
  /** The part's material if the prompt names neither a material nor a color for it. */
  readonly stuff?: Material;
}

/** What a word requests of a set, besides naming a part of it. One word may make several requests. */
export interface HintWord {
  readonly gobo?: GoboKind;
  readonly light?: 'warm' | 'cool';
  readonly mood?: Mood;
  readonly composition?: Composition;
  /** Whether `composition` takes precedence over the compositions of other words. */
  readonly isFirm?: boolean;
  readonly shapes?: readonly Shape[];
  /** Photographed places that show the word, best first. */
  readonly places?: readonly PlaceName[];
  /**
   * Whether the word means a room of no particular kind, such as "room" or "zimmer". Such a word selects no
   * photographed place if the prompt asks for a dark mood or a wall color, because photos of such rooms are
   * bright, and only the studio can paint a wall.
   */
  readonly isRoom?: boolean;
  /** Places that suit this word. They narrow the places that other words name; a single one replaces them. */
  readonly suits?: readonly PlaceName[];
  /** Material below the product if the prompt names neither a material nor a color for it. */
  readonly stuff?: Material;
}

type Entry<T> = readonly [T, string];

export const placeEntries: readonly Entry<PlaceWord>[] = [
  [
    { place: 'wall' },
    'background,backdrop,wall,backwall,bg,sky,horizon,hintergrund,wand,himmel,fond,mur,arriere plan,ciel,fondo,pared,muro,cielo',
  ],
  [
    { place: 'floor' },
    'floor,ground,surface,boden,untergrund,flache,oberflache,sol,surfaces,suelo,piso,superficie,pavimento',
  ],
  [
    { place: 'floor', composition: 'table', stuff: 'wood' },
    'table,tables,tabletop,table top,desk,bench,tisch,tischplatte,schreibtisch,esstisch,brett,mesa,tavolo',
  ],
  [
    { place: 'floor', composition: 'table', stuff: 'marble' },
    'counter,countertop,worktop,arbeitsplatte,platte,theke,kuchentheke,comptoir,plan de travail,encimera',
  ],
  [
    { place: 'pedestal', composition: 'podium' },
    'podium,pedestal,plinth,stand,platform,riser,podest,sockel,socle,estrade,podio,plataforma,peana',
  ],
  [{ place: 'pedestal', composition: 'block' }, 'block,blocks,cube,cubes,slab,block,wurfel,bloc,bloque,cubo'],
  [
    { place: 'pedestal', composition: 'steps' },
    'steps,stairs,step,staircase,stufen,treppe,marches,escalier,escalones',
  ],
  [
    { place: 'pedestal', composition: 'columns' },
    'column,columns,pillar,pillars,saule,saulen,colonne,columna',
  ],
  [{ place: 'pedestal', composition: 'shelf' }, 'shelf,shelves,ledge,mantel,regal,etagere,estante'],
  [
    { place: 'accent', composition: 'arch', shape: 'arch' },
    'arch,arches,archway,bogen,torbogen,arche,arcade,arco',
  ],
  [
    { place: 'accent', composition: 'halo', shape: 'disc' },
    'disc,disk,circle,halo,sun disc,scheibe,kreis,cercle,disque,disco,circulo',
  ],
  [
    { place: 'accent', shape: 'sphere' },
    'ball,balls,sphere,spheres,orb,orbs,kugel,kugeln,boule,boules,esfera,bola',
  ],
  [{ place: 'accent', shape: 'panel' }, 'panel,panels,screen,tombstone,paneel,panneau'],
  [
    { place: 'accent' },
    'accent,accents,prop,props,detail,details,highlights,akzent,akzente,accessoires,detalles',
  ],
  [
    { place: 'accent', shape: 'petals' },
    'petal,petals,flower,flowers,blossom,blossoms,blutenblatter,rose petals,blumen,bluten,fleur,fleurs,petales,flor,flores,petalos,fiori',
  ],
  [
    { place: 'accent', shape: 'stone' },
    'stones,pebble,pebbles,rocks,boulders,steine,kiesel,galets,cailloux,piedras,guijarros',
  ],
  [
    { place: 'accent', shape: 'branch' },
    'leaves,branch,branches,plant,plants,eucalyptus,greenery,potted plant,blatter,zweige,pflanze,pflanzen,feuilles,plante,plantes,hojas,planta,plantas,ramas',
  ],
  [{ place: 'wall', composition: 'curtain', shape: 'curtain' }, 'curtain,curtains,vorhang,rideau,cortina'],
  [
    { place: 'floor', composition: 'drape' },
    'drape,drapes,draped,drapery,folds,falten,drape en tissu,plis,pliegues',
  ],
];

export const hintEntries: readonly Entry<HintWord>[] = [
  [
    { gobo: 'window', suits: ['park', 'sunrise', 'sky', 'apartment', 'sunset'] },
    'window,sun,sunlit,sunlight,sunny,sunshine,window light,fenster,sonnenlicht,sonnig,sonne,fensterlicht,tageslicht,fenetre,soleil,ensoleille,ventana,luz del sol,luz do sol,finestra,sole,janela,sol de la manana,soleado',
  ],
  [
    { gobo: 'window', light: 'warm', suits: ['sunrise', 'venice', 'apartment', 'park'] },
    'morning,morning light,morgen,morgenlicht,morgensonne,matin,manana,mattino',
  ],
  [{ gobo: 'blinds' }, 'blinds,blind,shutters,slats,jalousie,lamellen,stores,persianas'],
  [
    { gobo: 'palm' },
    'palm shadow,palm shadows,palm leaf shadow,palm leaf shadows,palmenschatten,ombre de palmier,sombra de palmera',
  ],
  [
    { gobo: 'palm', shapes: ['palm'] },
    'palm,palms,tropical,jungle,palm leaf,palm leaves,palm tree,palme,tropisch,palmier,palmera,selva',
  ],
  [{ gobo: 'foliage' }, 'leaf,dappled,leafy,foliage,tree shade,blatt,laub,feuillage,feuille,hoja,follaje'],
  [{ gobo: 'slit' }, 'spotlight,spot,beam,light beam,lichtstrahl,rayon,foco'],
  [
    { light: 'warm' },
    'warm,cozy,cosy,gemutlich,warme,warmes,chaud,chaleureux,calido,calida,autumn,fall,herbst,automne,otono',
  ],
  [
    { light: 'warm', gobo: 'window', suits: ['sunset', 'dawn', 'venice', 'sunrise'] },
    'sunset,golden hour,evening light,sonnenuntergang,abendlicht,abendsonne,coucher de soleil,coucher du soleil,puesta de sol,por do sol,tramonto,atardecer,dusk',
  ],
  [{ light: 'warm', gobo: 'palm' }, 'summer,sommer,ete,verano,holiday,vacation'],
  [
    { light: 'cool' },
    'cool,fresh,cold,icy,winter,ice,kuhl,frisch,frais,froid,hiver,fresco,frio,invierno,clinical',
  ],
  [
    { mood: 'dark' },
    'moody,dramatic,luxury,luxurious,luxe,premium,dusteren,dramatisch,luxus,edel,dramatique,lujo,dramatico,elegant,mysterious',
  ],
  [{ mood: 'dark', suits: ['esplanade'] }, 'night,nacht,nuit,noche'],
  [
    { mood: 'bold' },
    'colorful,colourful,playful,fun,pop,bunt,colore,ludique,colorido,color block,colour block,color blocking',
  ],
  [
    { mood: 'pastel' },
    'delicate,gentle,dreamy,romantic,feminine,spring,fruhling,printemps,primavera,romantisch',
  ],
  [
    { mood: 'minimal' },
    'minimal,minimalist,minimalistic,clean,simple,plain,modern,scandinavian,nordic,schlicht,minimalistisch,epure,minimaliste,sencillo,minimalista,studio',
  ],
  [
    { mood: 'natural', shapes: ['branch'] },
    'natural,nature,organic,botanical,spa,eco,wellness,natur,naturlich,nature,naturel,natural,naturaleza,organico,boho,bohemian',
  ],
  [{ mood: 'natural', composition: 'garden', shapes: ['branch', 'palm'] }, 'garden,garten,jardin'],
  [
    { composition: 'table', stuff: 'marble', places: ['apartment', 'lobby'] },
    'bright kitchen,sunny kitchen,kitchen light,bright kitchen light,helle kuche,hellen kuche,cuisine lumineuse,cocina luminosa,cucina luminosa,cozinha clara',
  ],
  [
    { composition: 'table', stuff: 'marble' },
    'kitchen,bathroom,kuche,badezimmer,cuisine,salle de bain,salle de bains,cocina,bano,cucina,bagno,cozinha,banheiro',
  ],
  [
    { composition: 'table', stuff: 'wood' },
    'cafe table,breakfast,kuchentisch,couchtisch,gartentisch,fruhstuck',
  ],
  [
    { composition: 'flatlay' },
    'flat lay,flatlay,top view,top down,overhead,from above,birds eye,von oben,draufsicht,vue de dessus,vista cenital,desde arriba',
  ],
  [{ composition: 'sweep' }, 'cyclorama,infinity cove,sweep,hohlkehle,cyclo,ciclorama'],
  [{ composition: 'colorblock' }, 'geometric,shapes,geometrisch,geometrique,geometrico,memphis'],
];

/** Words that negate the words after them in the same phrase. */
export const negations: ReadonlySet<string> = new Set(
  'no,not,without,ohne,kein,keine,keinen,nicht,sans,pas,sin,senza,sem'.split(','),
);

/** "No shadows" requests light without a pattern. */
export const shadowWords: ReadonlySet<string> = new Set(
  'shadow,shadows,schatten,ombre,ombres,sombra,sombras'.split(','),
);

/** Words that bind the words after them to the noun before: "a wall of concrete", "background in blue". */
export const links: ReadonlySet<string> = new Set(
  'in,of,is,from,made,en,de,aus,vom,ist,est,es,von,du,des,del,di,do,da,color,colour,colored,coloured,farbe,couleur'.split(
    ',',
  ),
);

/** Words that join two things of equal rank. */
export const conjunctions: ReadonlySet<string> = new Set('and,or,und,oder,et,ou,y,e,o,&,+,/'.split(','));

/** Words that separate one thing from the next: "marble with palm leaves". */
export const breaks: ReadonlySet<string> = new Set([
  ...conjunctions,
  ...(
    'with,on,upon,over,under,beneath,above,below,through,behind,beside,besides,against,near,by,at,onto,before,around,between,among,inside,into,next,front,plus,' +
    'mit,auf,vor,hinter,neben,an,am,bei,beim,unter,uber,durch,am,im,ins,ums,aufs,zwischen,avec,sur,sous,devant,derriere,contre,dans,pres,' +
    'con,sobre,frente,contra,junto,detras,bajo,su,com,em'
  ).split(','),
]);

/** Words that mark the next noun as the product: "my sneaker". */
export const possessives: ReadonlySet<string> = new Set(
  'my,our,mein,meine,meinen,meinem,meiner,unser,unsere,unseren,unserem,mon,ma,mes,notre,nos,mi,mis,nuestro,nuestra'.split(
    ',',
  ),
);

/** Words for a picture, as in "photo of a sofa". */
export const pictureWords: ReadonlySet<string> = new Set(
  'photo,photograph,picture,image,shot,foto,bild,aufnahme'.split(','),
);

/** Words for the product itself, as in "the product is a sofa", "product: sofa". */
export const productWords: ReadonlySet<string> = new Set(
  'product,item,this,it,produkt,das,produit,producto'.split(','),
);

/** Words without a request: neither used nor reported. */
export const fillers: ReadonlySet<string> = new Set([
  ...possessives,
  ...pictureWords,
  ...productWords,
  ...shadowWords,
  ...(
    'a,an,the,your,that,its,to,for,as,be,are,some,very,really,please,want,would,like,i,we,me,make,create,show,place,placed,put,' +
    'standing,sitting,lying,set,scene,style,look,looking,feel,feeling,tone,tones,toned,shade,shades,cast,light,lights,lighting,lit,' +
    'photography,shoot,products,mockup,hero,commercial,professional,quality,high,' +
    'nice,beautiful,lovely,nothing,just,only,' +
    'ein,eine,einem,einen,einer,eines,der,die,dem,den,licht,stil,bitte,fur,zum,zur,schon,schone,' +
    'un,une,le,la,les,l,d,au,aux,lumiere,style,pour,belle,beau,' +
    'sowie,etwas,viel,viele,ganz,sehr,una,el,los,las,al,ao,aos,luz,estilo,para,por,il,lo,gli,uma,os,as'
  ).split(','),
]);
