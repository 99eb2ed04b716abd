/** The subject's class in the terms of cutout services, and the matching shadow. */
import type { ShadowStyle } from './finish/lay-shadow.ts';
import type { ByClass, CutoutOrder, Shadow, ShadowType, SubjectClass } from './order.ts';

/** Classes that exist only at level 2; at level 1, they are `other`. */
const fineClasses: readonly SubjectClass[] = ['car_interior', 'car_part', 'transportation', 'graphics'];

/** The class stated by the caller, else the recognized one. */
export function classifySubject(kind: string | undefined, stated: SubjectClass | undefined): SubjectClass {
  if (stated) return stated;
  if (kind === undefined || kind === 'Unknown') return 'other';
  return kind === 'Vehicles & Parts' ? 'car' : 'product';
}

export const atLevel = (subject: SubjectClass, level: 1 | 2): SubjectClass =>
  level === 1 && fineClasses.includes(subject) ? 'other' : subject;

/** The product kind to pass as a hint for the class; undefined if no product kind corresponds to the class. */
export function toKindHint({ subject }: Pick<CutoutOrder, 'subject'>): string | undefined {
  return subject === 'car' || subject === 'car_part' || subject === 'transportation'
    ? 'Vehicles & Parts'
    : undefined;
}

const automatic: Readonly<Record<SubjectClass, ShadowType>> = {
  ...{ car: 'car', person: '3D', transportation: '3D', car_interior: 'none' },
  ...{ product: 'drop', animal: 'drop', graphics: 'drop', car_part: 'drop', other: 'drop' },
};
/** Azimuth of the light. `car` and `drop`: the light is soft, so that the shadow has no direction. */
const azimuths = { car: undefined, drop: undefined, '3D': -50 } as const;
const strengths = { car: 0.9, others: 0.5 } as const;

const pick = <T>(values: ByClass<T>, subject: SubjectClass): T => values[subject] ?? values.all;

/** Undefined if this subject gets no shadow. */
export function chooseShadow(shadow: Shadow | undefined, subject: SubjectClass): ShadowStyle | undefined {
  if (!shadow) return undefined;
  const asked = pick(shadow.type, subject);
  const type = asked === 'auto' ? automatic[subject] : asked;
  if (type === 'none' || type === 'auto') return undefined;
  const opacity = pick(shadow.opacity, subject);
  const strength = opacity === 'auto' ? (type === 'car' ? strengths.car : strengths.others) : opacity;
  return { azimuthDeg: azimuths[type], strength };
}
