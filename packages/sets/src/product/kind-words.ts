/** Product words with the shop category and the staging (how a product is set up) that they imply. Data only. */
import type { Staging } from 'packshot-studio';
import type { ProductKindName } from './product-kinds.ts';
import { lengthsOfWords } from './real-lengths.ts';

export interface KindWord {
  readonly kind: ProductKindName;
  /** Undefined if the silhouette determines the staging. */
  readonly staging?: Staging;
  /** Usual length of the longer side, in centimeters; undefined if such products vary too much. */
  readonly lengthCm?: number;
  /** Whether such products are used only indoors. */
  readonly indoors?: boolean;
  /** Whether such products cannot stand upright. */
  readonly fallsOver?: boolean;
}

const kindEntries: readonly (readonly [ProductKindName, Staging | undefined, string])[] = [
  [
    'Apparel & Accessories',
    'long-low',
    'shoe,shoes,sneaker,sneakers,trainer,trainers,boot,boots,sandal,sandals,heels,loafer,slipper,schuh,schuhe,stiefel,chaussure,chaussures,baskets,zapato,zapatos,zapatillas,footwear',
  ],
  [
    'Apparel & Accessories',
    'garment',
    'shirt,tshirt,tee,hoodie,sweater,jumper,jacket,coat,dress,skirt,jeans,trousers,pants,shorts,blouse,polo,cardigan,scarf,pullover,hemd,kleid,jacke,hose,chemise,robe,veste,pantalon,camisa,camiseta,vestido,chaqueta,garment,clothing,clothes',
  ],
  [
    'Apparel & Accessories',
    'small-precious',
    'ring,necklace,earring,earrings,bracelet,pendant,brooch,jewelry,jewellery,watch,wristwatch,cufflinks,eyeglasses,glasses,sunglasses,spectacles,schmuck,kette,uhr,brille,sonnenbrille,bijou,bague,collier,montre,lunettes,joya,anillo,collar,reloj,gafas',
  ],
  [
    'Apparel & Accessories',
    undefined,
    'hat,beanie,glove,gloves,belt,sock,socks,wallet,mutze,gurtel,chapeau,sombrero',
  ],
  [
    'Luggage & Bags',
    undefined,
    'bag,bags,handbag,backpack,tote,purse,suitcase,luggage,duffel,tasche,handtasche,rucksack,koffer,sac,valise,bolso,mochila,maleta',
  ],
  [
    'Health & Beauty',
    undefined,
    'perfume,parfum,cologne,fragrance,serum,lotion,cosmetic,cosmetics,makeup,lipstick,mascara,skincare,shampoo,conditioner,moisturizer,toner,soap,deodorant,toothpaste,nail polish,kosmetik,creme dose,seife,lippenstift,savon,rouge a levres,jabon,labial',
  ],
  [
    'Food, Beverages & Tobacco',
    undefined,
    'drink,juice,beer,wine,coffee,tea,soda,smoothie,whisky,whiskey,gin,vodka,chocolate bar,snack,snacks,honey,jam,olive oil,pasta,cereal,cookies,cookie,candy,food,saft,bier,wein,kaffee,tee dose,honig,jus,biere,vin,the vert,miel,zumo,cerveza,vino',
  ],
  [
    'Furniture',
    'large',
    'chair,armchair,stool,sofa,couch,bookcase,wardrobe,dresser,nightstand,furniture,ottoman,stuhl,sessel,hocker,chaise,fauteuil,tabouret,silla,sillon,taburete',
  ],
  [
    'Home & Garden',
    undefined,
    'lamp,tablelamp,desklamp,lantern,leuchte,lampe,lampara,candle,kerze,bougie,vela',
  ],
  [
    'Home & Garden',
    'upright-squat',
    'mug,cup,teacup,bowl,plate,teapot,kettle,pot,pan,pitcher,carafe,tasse,becher,schussel,teller,bol,assiette,taza,cuenco,plato,tumbler,drinkware,tableware,flowerpot,planter',
  ],
  [
    'Home & Garden',
    'upright-tall',
    'vase,flowervase,jug,bottle,waterbottle,thermos,flask,flasche,bouteille,botella,jarron,houseplant,potplant,orchid,orchids,tulip,tulips,aloe,aloe vera,succulent,succulents,bonsai,orchidee,tulpe,tulpen,orquidea',
  ],
  [
    'Home & Garden',
    undefined,
    'cushion,pillow,towel,blanket,rug,basket,wirebasket,kitchenware,cutlery,knife,spoon,fork,kissen,decke,korb,coussin,panier,cojin,cesta,tool set,garden tool,watering can,clock',
  ],
  [
    'Electronics',
    undefined,
    'headphones,headphone,headset,earbuds,earphones,laptop,notebook computer,phone,smartphone,tablet,speaker,boombox,radio,console,gamepad,controller,keyboard,mouse,computer mouse,monitor,charger,powerbank,cassette,kopfhorer,handy,lautsprecher,casque,enceinte,telephone,auriculares,altavoz,telefono,electronics',
  ],
  [
    'Cameras & Optics',
    undefined,
    'camera,lens,binoculars,telescope,tripod,kamera,objektiv,fernglas,appareil photo,camara',
  ],
  ['Media', 'panel', 'book,books,magazine,dvd,vinyl,record,buch,livre,libro'],
  [
    'Office Supplies',
    undefined,
    'pen,pencil,notebook,stapler,planner,diary,stift,heft,stylo,cahier,boligrafo,cuaderno',
  ],
  [
    'Toys & Games',
    undefined,
    'toy,toys,plush,teddy,doll,puzzle,lego,board game,figurine,spielzeug,kuscheltier,puppe,jouet,peluche,poupee,juguete,muneca',
  ],
  [
    'Baby & Toddler',
    undefined,
    'pacifier,stroller,baby bottle,rattle,diaper,schnuller,kinderwagen,poussette,tetine,chupete',
  ],
  ['Sporting Goods', 'large', 'bike,bicycle,surfboard,treadmill,fahrrad,velo,bicicleta'],
  [
    'Sporting Goods',
    undefined,
    'dumbbell,dumbbells,kettlebell,racket,skateboard,football,basketball,yoga mat,tent,helmet bike,hantel,schlager,raquette,haltere,mancuerna',
  ],
  [
    'Arts & Entertainment',
    undefined,
    'guitar,violin,ukulele,piano,drum,trumpet,paintbrush,easel,gitarre,geige,guitare,violon,guitarra,instrument,painting',
  ],
  ['Arts & Entertainment', 'irregular', 'collectible,sculpture,statue,helmet,flighthelmet'],
  [
    'Hardware',
    undefined,
    'drill,hammer,screwdriver,wrench,saw,pliers,faucet,bohrmaschine,schraubenzieher,perceuse,marteau,taladro,martillo',
  ],
  [
    'Vehicles & Parts',
    'large',
    'car,sedan,motorcycle,scooter,truck,boat,van,auto,motorrad,voiture,moto,coche,bateau',
  ],
  ['Vehicles & Parts', undefined, 'tire,tyre,wheel rim,car part,reifen,pneu,neumatico'],
  [
    'Animals & Pet Supplies',
    undefined,
    'dog,cat,pet,leash,kibble,dog bowl,cat tree,hund,katze,hundenapf,chien,chat,perro,gato',
  ],
  ['Business & Industrial', undefined, 'hard hat,safety vest,pallet,forklift'],
  ['Religious & Ceremonial', undefined, 'rosary,menorah,prayer beads'],
];

/** Words for products that are used only indoors, although other products of their kind are not. */
const indoorWords: ReadonlySet<string> = new Set(
  'lamp,tablelamp,desklamp,leuchte,lampe,lampara,cushion,pillow,kissen,coussin,cojin,towel,rug,kitchenware,pot,pan,kettle,clock,treadmill'.split(
    ',',
  ),
);

/** Words for products that cannot stand upright: in a photo that shows them upright, they lie, seen from above. */
const fallingWords: ReadonlySet<string> = new Set(
  'belt,gurtel,knife,spoon,fork,pen,pencil,stift,stylo,boligrafo,racket,schlager,raquette,skateboard,paintbrush,hammer,marteau,martillo,screwdriver,schraubenzieher,wrench,saw,pliers,leash,rosary,prayer beads'.split(
    ',',
  ),
);

/** Keyed by word or phrase, in lower case and without accents. */
export const kindWords: ReadonlyMap<string, KindWord> = new Map(
  kindEntries.flatMap(([kind, staging, text]) =>
    text.split(',').map((word): [string, KindWord] => {
      const lengthCm = lengthsOfWords.get(word);
      const indoors = indoorWords.has(word);
      const fallsOver = fallingWords.has(word);
      const size = { ...(staging && { staging }), ...(lengthCm && { lengthCm }) };
      return [word, { kind, ...size, ...(indoors && { indoors }), ...(fallsOver && { fallsOver }) }];
    }),
  ),
);
