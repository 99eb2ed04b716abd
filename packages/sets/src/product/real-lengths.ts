/** Usual lengths of products: the longer side that a photo shows, in centimeters. Data only. */
import type { Staging } from 'packshot-studio';

/**
 * Rounded lengths, within a factor of 1.5 of most products of that name. A product's size in a picture grows at most
 * with the 0.22th power of its length, so such an error changes that size by less than a tenth.
 */
const lengths: readonly (readonly [lengthCm: number, words: string])[] = [
  [2.5, 'ring,earring,earrings,cufflinks,brooch,bague,anillo,bijou,joya,schmuck'],
  [5, 'pendant,earbuds,earphones,bracelet,rosary,pacifier,schnuller,tetine,chupete,auriculares,soap,seife'],
  [
    8,
    'lipstick,lippenstift,labial,rouge a levres,deodorant,jam,watch,wristwatch,uhr,montre,reloj,candle,kerze,bougie,vela',
  ],
  [
    11,
    'mug,cup,teacup,tasse,taza,becher,tumbler,wallet,mouse,computer mouse,cassette,perfume,parfum,cologne,fragrance,serum,makeup,mascara,skincare,moisturizer,nail polish,honey,honig,miel,charger,powerbank,lens,objektiv',
  ],
  [
    14,
    'eyeglasses,glasses,sunglasses,spectacles,brille,sonnenbrille,lunettes,gafas,camera,kamera,camara,appareil photo,phone,smartphone,handy,telephone,telefono,pen,pencil,stift,stylo,gamepad,controller,bowl,bol,cuenco,lotion,cosmetic,cosmetics,kosmetik,beanie,glove,gloves,sock,socks,necklace,collier,collar,kette,figurine',
  ],
  [
    20,
    'succulent,succulents,headphones,headphone,headset,kopfhorer,casque,teapot,kettle,carafe,pitcher,jug,shampoo,conditioner,binoculars,fernglas,radio,speaker,lautsprecher,enceinte,altavoz,book,books,buch,livre,libro,notebook,cuaderno,planner,diary,magazine,dvd,plate,teller,assiette,plato,coffee,tea,stapler,hat,chapeau,sombrero,mutze,baby bottle',
  ],
  [
    28,
    'shoe,shoes,sneaker,sneakers,trainer,trainers,boot,boots,sandal,sandals,heels,loafer,slipper,schuh,schuhe,stiefel,chaussure,chaussures,baskets,zapato,zapatos,zapatillas,footwear,bottle,waterbottle,flasche,bouteille,botella,thermos,flask,wine,wein,vin,vino,beer,bier,whisky,whiskey,gin,vodka,olive oil,juice,saft,jus,tablet,console,handbag,purse,handtasche,bolso,plush,teddy,kuscheltier,peluche,football,basketball,drill,bohrmaschine,perceuse,taladro,hammer,marteau,martillo,vase,flowervase,jarron,lantern,vinyl,record,helmet,flighthelmet,knife',
  ],
  [
    36,
    'laptop,notebook computer,keyboard,doll,puppe,poupee,muneca,sculpture,statue,wirebasket,basket,korb,panier,cesta,pan,clock,watering can,scarf,belt,gurtel,racket,schlager,raquette,flowerpot,potplant,tulip,tulips,aloe,aloe vera,bonsai,tulpe,tulpen',
  ],
  [
    48,
    'cushion,pillow,kissen,coussin,cojin,tablelamp,desklamp,lamp,lampe,leuchte,lampara,backpack,rucksack,mochila,tote,bag,bags,tasche,sac,boombox,shorts,houseplant,planter,orchid,orchids,orchidee,orquidea,violin,geige,violon,stool,hocker,tabouret,taburete,towel,cat tree',
  ],
  [
    70,
    'shirt,tshirt,tee,hoodie,sweater,jumper,jacket,blouse,polo,cardigan,pullover,hemd,jacke,chemise,veste,camisa,camiseta,chaqueta,garment,clothing,clothes,skirt,suitcase,luggage,duffel,koffer,valise,maleta,monitor,skateboard,ukulele,nightstand,ottoman,tire,tyre,tripod,telescope',
  ],
  [
    100,
    'guitar,gitarre,guitare,guitarra,chair,armchair,stuhl,sessel,chaise,fauteuil,silla,sillon,dress,coat,jeans,trousers,pants,kleid,hose,robe,pantalon,vestido,stroller,kinderwagen,poussette,dresser,drum,easel',
  ],
  [
    180,
    'sofa,couch,bookcase,wardrobe,bike,bicycle,fahrrad,velo,bicicleta,treadmill,surfboard,scooter,piano,tent,rug,blanket,yoga mat,motorcycle,motorrad,moto',
  ],
  [400, 'car,sedan,truck,boat,van,auto,voiture,coche,bateau,forklift'],
];

/** Keyed by word or phrase, as in the lexicon of kinds. */
export const lengthsOfWords: ReadonlyMap<string, number> = new Map(
  lengths.flatMap(([lengthCm, words]) => words.split(',').map((word): [string, number] => [word, lengthCm])),
);

/**
 * Lengths in centimeters for products of which only the outline is known: 25, the middle of a shop's range, unless the
 * staging suggests another length.
 */
const lengthsOfStagings: Readonly<Record<Staging, number>> = {
  'small-precious': 7,
  'upright-squat': 18,
  'upright-tall': 25,
  'long-low': 25,
  panel: 25,
  irregular: 25,
  garment: 70,
  large: 110,
  hung: 40,
};

/** Length of a product's longer side, in centimeters. `staging` is undefined if nothing is known about the product. */
export const usualLength = (staging: Staging | undefined): number =>
  staging === undefined ? lengthsOfStagings.irregular : lengthsOfStagings[staging];
