/** Words for real places, in the languages of the lexicon, and the photographed places that show them. Data only. */
import type { PlaceName } from '../../studio/places/place-names.ts';

/**
 * Words for a room of no particular kind. If the prompt also asks for a dark mood or a wall color, they select no
 * photographed place, because photos of such rooms are bright, and only the studio can paint a wall.
 */
export const roomWordEntry: readonly [readonly PlaceName[], string] = [
  ['apartment', 'lobby'],
  'room,raum,zimmer,chambre,habitacion,cuarto,stanza,quarto,sala',
];

/** Photographed places, best first, and the words for them. */
export const placeWordEntries: readonly (readonly [readonly PlaceName[], string])[] = [
  [
    ['park', 'sunrise'],
    'park,meadow,lawn,grass,field,fields,picnic,picnic table,outdoor,outdoors,countryside,sunny park,city park,' +
      'wiese,rasen,picknick,picknicktisch,feld,draussen,im freien,im gras,parc,prairie,pique nique,herbe,en plein air,' +
      'parque,prado,cesped,hierba,al aire libre,campo,prato,parco,all aperto,ao ar livre',
  ],
  [
    ['sunrise', 'venice', 'dawn'],
    'sunrise,mist,misty,fog,foggy,dawn,daybreak,sonnenaufgang,morgengrauen,nebel,lever du soleil,aube,brouillard,brume,' +
      'amanecer,alba,niebla,nascer do sol,nebbia',
  ],
  [
    ['forest'],
    'forest,woods,woodland,in the woods,forest floor,moss,mossy,tree,trees,nature trail,wald,waldboden,moos,baum,baume,' +
      'foret,sous bois,mousse,arbre,arbres,bosque,musgo,arbol,arboles,foresta,muschio,floresta,musgo',
  ],
  [
    ['city', 'sunset'],
    'city,cityscape,skyline,street,streets,downtown,urban,sidewalk,pavement,town,building,buildings,' +
      'stadt,strasse,innenstadt,stadtisch,gehweg,ville,rue,trottoir,urbain,ciudad,calle,acera,urbano,citta,strada,cidade,rua',
  ],
  [
    ['sunset', 'venice'],
    'piazza,plaza,old town,venice,town square,market square,italian square,altstadt,marktplatz,venedig,vieille ville,venise,' +
      'casco antiguo,venecia,centro storico,venezia,veneza',
  ],
  [
    ['venice', 'sky', 'sunset'],
    'by the sea,at the sea,seaside,sea view,ocean view,coast,coastal,harbor,harbour,waterfront,pier,quay,shore,' +
      'am meer,meerblick,kuste,hafen,au bord de la mer,bord de mer,vue mer,cote,port,junto al mar,vista al mar,costa,puerto,' +
      'sul mare,in riva al mare,beira mar',
  ],
  [
    ['esplanade', 'lobby', 'workshop'],
    'cafe,coffee shop,coffeehouse,restaurant,bistro,bar,hotel,mall,store,kaffeehaus,kneipe,cafeteria,restaurante,ristorante',
  ],
  [
    ['esplanade'],
    'night city,city at night,city night,night street,neon,neon light,neon lights,city lights,nightlife,nightclub,' +
      'nachtstadt,neonlicht,nachtleben,neons,ville la nuit,ciudad de noche,luces de neon',
  ],
  [
    ['apartment', 'lobby'],
    'living room,home,at home,apartment,house,interior,indoors,wohnzimmer,zuhause,wohnung,haus,salon,maison,appartement,' +
      'en interieur,casa,interior,sala de estar,salotto,' +
      'bright room,light room,sunny room,sunlit room,airy room,bright airy room,well lit room,light filled room,modern room,' +
      'bright interior,dining room,bedroom,family room,loft,sunroom,' +
      'heller raum,hellen raum,helles zimmer,hellen zimmer,heller wohnraum,hellen wohnraum,sonniges zimmer,sonnigen zimmer,' +
      'lichtdurchfluteter raum,lichtdurchfluteten raum,wohnraum,esszimmer,schlafzimmer,' +
      'piece lumineuse,chambre lumineuse,piece claire,chambre claire,piece ensoleillee,interieur lumineux,salle a manger,' +
      'habitacion luminosa,habitacion clara,cuarto luminoso,sala luminosa,estancia luminosa,interior luminoso,comedor,dormitorio,' +
      'stanza luminosa,camera luminosa,stanza chiara,sala da pranzo,soggiorno,quarto claro,sala clara,sala iluminada',
  ],
  [['lobby', 'apartment'], 'office,lobby,reception,buro,bureau,oficina,ufficio'],
  [
    ['sunset', 'dawn', 'esplanade'],
    'evening,in the evening,abend,abends,am abend,soir,soiree,le soir,anochecer,sera',
  ],
  [
    ['dawn', 'park'],
    'mountain,mountains,hill,hills,landscape,berg,berge,landschaft,montagne,montagnes,paysage,montana,montanas,paisaje,montagna,paesaggio',
  ],
  [
    ['workshop', 'warehouse'],
    'workshop,garage,factory,warehouse,industrial hall,werkstatt,fabrik,lagerhalle,atelier,usine,entrepot,taller,fabrica,almacen,officina',
  ],
];
