/** Words for materials, mostly in English, German, French and Spanish, and what each requests of a set. Data only. */
import type { Composition, Material } from '../../studio/scene-plan.ts';

export interface SurfaceWord {
  readonly material: Material;
  /** `#RRGGBB`, base then second color; empty for the material's own colors. */
  readonly colors: readonly string[];
  /** The composition that the word implies on its own. */
  readonly composition?: Composition;
}

export const surfaceEntries: readonly (readonly [SurfaceWord, string])[] = [
  [{ material: 'marble', colors: [] }, 'marble,marmor,marbre,marmol,carrara,onyx'],
  [
    { material: 'wood', colors: [] },
    'wood,wooden,timber,wood grain,holz,holzern,bois,madera,hout,legno,madeira,hardwood,parquet,parkett,dielen,tarima',
  ],
  [
    { material: 'wood', colors: ['#CDA673', '#94693D'] },
    'oak,eiche,eichenholz,chene,roble,bamboo,birch,pine',
  ],
  [
    { material: 'wood', colors: ['#70503A', '#3F2B1E'] },
    'walnut,mahogany,teak,nussbaum,noyer,nogal,rustic wood',
  ],
  [
    { material: 'concrete', colors: [] },
    'concrete,cement,beton,zement,ciment,hormigon,cemento,industrial,microcement',
  ],
  [{ material: 'travertine', colors: [] }, 'travertine,limestone,sandstone,travertin,kalkstein,travertino'],
  [{ material: 'stone', colors: [], composition: 'rocks' }, 'stone,rock,stein,pierre,piedra,roca'],
  [{ material: 'stone', colors: ['#5A5D61'], composition: 'rocks' }, 'slate,granite,basalt,schiefer,ardoise'],
  [{ material: 'terrazzo', colors: [] }, 'terrazzo,granito'],
  [
    { material: 'sand', colors: [], composition: 'dune' },
    'sand,sandy,beach,desert,dune,dunes,strand,wuste,sable,plage,arena,playa,desierto',
  ],
  [
    { material: 'linen', colors: [] },
    'linen,fabric,cloth,textile,cotton,canvas,burlap,leinen,stoff,tuch,lin,tissu,lino,tela,tejido',
  ],
  [{ material: 'satin', colors: [] }, 'silk,satin,velvet,silky,seide,samt,soie,velours,seda,terciopelo'],
  [
    { material: 'water', colors: [], composition: 'water' },
    'water,pool,lake,ocean,sea,ripples,wasser,meer,eau,mer,agua,mar,piscina',
  ],
  [
    { material: 'plaster', colors: [] },
    'plaster,clay,stucco,limewash,adobe,putz,lehm,platre,argile,yeso,estuco',
  ],
  [{ material: 'matte', colors: [] }, 'matte,matt,paper,seamless,papier,papel,mate'],
  [
    { material: 'lacquer', colors: [] },
    'glossy,lacquer,acrylic,plexiglass,lackiert,acryl,brillant,brillante',
  ],
  [
    { material: 'metal', colors: ['#B9BDC2'] },
    'metal,metallic,steel,aluminium,aluminum,metall,stahl,acier,acero',
  ],
];
