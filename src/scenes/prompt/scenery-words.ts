/**
 * Things that prompts mention but that cannot be drawn, in several languages. A word that another word list claims
 * first, such as "park", keeps that meaning (see `lexicon.ts`). Product names are in `kind-words.ts`. Data only.
 */
const entries: readonly string[] = [
  // Occasions
  'christmas,xmas,christmas tree,christmas lights,halloween,easter,valentine,valentines,valentines day,valentine day,thanksgiving,new year,birthday,wedding,party,' +
    'gift,gifts,gift box,gift boxes,present,presents,ribbon,ribbons,confetti,balloon,balloons,ornament,ornaments,bauble,baubles,heart,hearts,fairy lights,fireworks,' +
    'weihnachten,weihnachtlich,weihnachtsbaum,weihnachtskugeln,geschenk,geschenke,ostern,geburtstag,hochzeit,noel,sapin,cadeau,cadeaux,paques,anniversaire,navidad,regalo,regalos,globos,natale,natal,regali',
  // People
  'person,people,man,woman,women,men,girl,boy,child,children,kid,kids,baby,model,models,mannequin,hand,hands,hand holding,holding,held,face,skin,body,foot,feet,wearing,worn,couple,family,' +
    'mensch,menschen,frau,mann,kind,kinder,hand,hande,femme,homme,enfant,main,mains,mujer,hombre,nino,mano,manos',
  // Rooms and buildings
  'baby room,nursery,interior,house,home,apartment,hotel,lobby,hallway,office,gym,cafe,coffee shop,bar,restaurant,shop,store,supermarket,market,library,garage,workshop,classroom,' +
    'barn,farm,farmhouse,cabin,cottage,castle,church,museum,gallery,theater,stage,fireplace,chimney,ceiling,door,doors,roof,terrace,balcony,patio,tile,tiles,brick,bricks,brick wall,wallpaper,mirror,mirrors,bed,bath,bathtub,sink,shower,' +
    'wohnzimmer,kinderzimmer,haus,buro,ziegel,ziegelwand,fliesen,kamin,bett,tur,spiegel,dach,balkon,terrasse,salon,maison,bureau,cheminee,miroir,salotto,oficina,casa,cama,espejo,chimenea,ladrillo,brique',
  // Outdoors
  'city,cityscape,skyline,town,street,streets,alley,road,highway,bridge,building,buildings,skyscraper,traffic,sidewalk,pavement,graffiti,park,playground,picnic,picnic blanket,camping,campfire,' +
    'mountain,mountains,hill,hills,valley,cliff,waterfall,river,island,jungle temple,grass,lawn,moss,tree,trees,tree trunk,log,roots,field,fields,wheat,lavender field,vineyard,cactus,mushroom,mushrooms,landscape,outdoor,outdoors,nature trail,' +
    'snow,snowy,snowflake,snowflakes,rain,raindrops,rainy,storm,lightning,fog,foggy,mist,misty,cloud,clouds,cloudy,rainbow,star,stars,starry,moon,moonlight,galaxy,space,planet,aurora,wave,waves,surf,coral reef,shell,shells,seashell,seashells,starfish,' +
    'stadt,strasse,park,picknick,berg,berge,baum,baume,gras,wiese,schnee,regen,nebel,wolke,wolken,mond,sterne,muschel,muscheln,welle,wellen,weltraum,' +
    'ville,rue,parc,pique nique,montagne,arbre,arbres,herbe,neige,pluie,brouillard,nuage,nuages,lune,etoile,etoiles,coquillage,coquillages,vague,vagues,' +
    'ciudad,calle,parque,montana,arbol,arboles,hierba,nieve,lluvia,niebla,nube,nubes,luna,estrellas,concha,conchas,olas,citta,strada,montagna,albero,neve,pioggia,cidade,rua,chuva,arvore',
  // Things
  'candles,candlelight,towels,books,bookshelf,blankets,pillows,cushions,vases,lamps,laptops,desk lamp,coffee beans,beans,bread,croissant,cake,cakes,pastry,cheese,egg,eggs,milk,ice cubes,ice cream,' +
    'fruit,fruits,berries,berry,strawberry,strawberries,lemons,orange slices,oranges,apple,apples,banana,bananas,cherry,cherries,grapes,citrus,coconut,avocado,vegetable,vegetables,tomato,tomatoes,herbs,spices,nuts,pumpkin,pumpkins,' +
    'bouquet,wreath,pine cone,pine cones,pine tree,pine trees,tulip,tulips,sunflower,sunflowers,orchid,peony,peonies,hay,rope,ladder,crate,barrel,wheel,newspaper,magazines,poster,picture frame,frame,frames,hanger,screen,screens,computer,desk setup,pencils,dumbbells,weights,umbrella,parasol,beach towel,deck chair,hammock,flamingo,swing,toys,tools,coins,money,flag,flags,sign,neon sign,text,logo,lettering,words,' +
    'kerzen,kerzenlicht,handtuch,handtucher,strandtuch,bucher,bucherregal,kaffeebohnen,brot,kuchen,obst,fruchte,beeren,zitrone,zitronen,apfel,erdbeeren,gemuse,strauss,kranz,bilderrahmen,computer,schale,' +
    'bougies,serviette,serviettes,livres,pain,gateau,fruits,citron,citrons,pomme,fraises,legumes,bouquet,cadre,ordinateur,' +
    'velas,toalla,toallas,libros,pan,pastel de cumpleanos,fruta,frutas,limon,limones,manzana,fresas,verduras,ramo,cuadro,ordenador,candele,asciugamani,libri,frutta,fiori,velas,livros,toalhas,flor',
  // Events and effects
  'splash,splashes,splashing,drop,drops,droplets,bubble,bubbles,foam,smoke,smoky,steam,fire,flame,flames,sparks,dust,powder,explosion,glitter,sparkle,sparkles,bokeh,blur,blurred,floating,levitating,levitation,flying,falling,hanging,moving,motion,' +
    'spritzer,tropfen,blasen,schaum,rauch,dampf,feuer,flamme,flammen,schwebend,eclaboussure,eclaboussures,goutte,gouttes,bulles,fumee,vapeur,feu,salpicadura,salpicaduras,gota,gotas,burbujas,humo,fuego,flotando,schizzi,fumo,fumaca,gelo',
  // Animals
  'bird,birds,butterfly,butterflies,horse,fish,rabbit,bunny,lion,tiger,elephant,bee,bees,vogel,pferd,schmetterling,oiseau,cheval,papillon,pajaro,caballo,mariposa',
];

/** Lower case, without accents. */
export const sceneryWords: readonly string[] = entries.flatMap((text) => text.split(','));

/** Words about properties that the planner derives from product and photo. */
export const uncontrolledWords: readonly string[] =
  'two,three,four,several,many,few,small,big,large,huge,tiny,little,tall,low,high up,round,rounded,square,side,left,right,center,centre,middle,top,bottom,corner,close up,closeup,wide angle,tilted,soft'.split(
    ',',
  );
