/** The looks between which the judge decides, on one grid. */
import type { Matte, RgbImage } from '../../pixels.ts';
import type { Resolution } from '../removal-engine.ts';
import type { ChosenView } from '../steps/exposure-views.ts';
import { lookFromAfar } from '../steps/far-look.ts';
import { gatherOpinions, type NamedLook, type Opinions } from './opinions.ts';

type Look = (photo: RgbImage, resolution: Resolution) => Promise<Matte>;

/** `coarse` and `view` cover all of the photo; one more look, from afar, is taken, for about half a full one. */
export async function askOpinions(
  source: RgbImage,
  { view, coarse }: { readonly view: ChosenView; readonly coarse: Matte },
  look: Look,
): Promise<Opinions> {
  const far = await lookFromAfar(source, (wide) => look(wide, 'medium'));
  const looks: NamedLook[] = [
    { kind: 'full', matte: view.matte },
    { kind: 'coarse', matte: coarse },
    { kind: 'far', matte: far },
    ...view.others.map((matte): NamedLook => ({ kind: 'exposure', matte })),
  ];
  return gatherOpinions(source, looks);
}
