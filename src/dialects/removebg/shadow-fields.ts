/** `shadow_type` and `shadow_opacity`, for all subjects or for one class, and the older `add_shadow`. */
import { type BodyFields, findOwn } from '../body-fields.ts';
import type { Shadow, ShadowType, SubjectClass } from '../order.ts';
import { invalid } from './errors.ts';

const types: readonly ShadowType[] = ['none', 'auto', 'car', '3D', 'drop'];
/** The subject classes by their names in this interface. */
export const subjects: Readonly<Record<string, SubjectClass>> = {
  ...{ person: 'person', product: 'product', animal: 'animal', car: 'car', other: 'other' },
  ...{ graphic: 'graphics', graphics: 'graphics', transportation: 'transportation' },
  ...{ car_interior: 'car_interior', car_part: 'car_part' },
};

/** Undefined if no class gets a shadow. */
export function readShadow(text: BodyFields['text'], isAdded: boolean): Shadow | undefined {
  const type = readByClass(text, 'shadow_type', 'none', (value) =>
    types.find((type) => type.toLowerCase() === value.toLowerCase()),
  );
  const opacity = readByClass(text, 'shadow_opacity', 'auto', readOpacity);
  if (isAdded && type.car === undefined && type.all === 'none')
    return { type: { ...type, car: 'car' }, opacity };
  return Object.values(type).every((one) => one === 'none') ? undefined : { type, opacity };
}

function readByClass<T>(
  text: BodyFields['text'],
  name: string,
  byDefault: string,
  read: (value: string) => T | undefined,
): { all: T } & Partial<Record<SubjectClass, T>> {
  const demand = (value: string): T => {
    const found = read(value);
    if (found === undefined) throw invalid(name);
    return found;
  };
  const own = [...text].flatMap(([field, value]): [SubjectClass, T][] => {
    if (!field.startsWith(`${name}[`) || !field.endsWith(']')) return [];
    const subject = findOwn(subjects, field.slice(name.length + 1, -1));
    if (!subject) throw invalid(name);
    return [[subject, demand(value)]];
  });
  return {
    all: demand(text.get(name) ?? byDefault),
    ...(Object.fromEntries(own) as Partial<Record<SubjectClass, T>>),
  };
}

function readOpacity(value: string): number | 'auto' | undefined {
  if (value.toLowerCase() === 'auto') return 'auto';
  const percent = Number(value.replace(/%$/, ''));
  return value.trim() !== '' && percent >= 0 && percent <= 100 ? percent / 100 : undefined;
}
