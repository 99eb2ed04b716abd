import { language, t } from './words.ts';

const forms = {
  photo: ['{count} photo', '{count} photos'],
  picture: ['{count} picture', '{count} pictures'],
  project: ['{count} project', '{count} projects'],
} as const;

/** A number with its noun, such as `1 photo` or `40 photos`. */
export function countWords(many: number, what: keyof typeof forms): string {
  return t(forms[what][new Intl.PluralRules(language).select(many) === 'one' ? 0 : 1], {
    count: many.toLocaleString(language),
  });
}
