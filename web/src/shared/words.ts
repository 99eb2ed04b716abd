/**
 * The language of the page. English texts stand in the code, and each is the key of its translations in web/words/, so
 * that a text without a translation does not compile. Only the browser's own language is loaded.
 */
type Dictionary = typeof import('../../words/de.json');
export type English = keyof Dictionary;
/** What a choice is called: also names that are the same in every language. */
export type Title = English | 'AI Studio' | 'AVIF' | 'JPEG' | 'PNG' | 'WebP';

const dictionaries: Readonly<Record<string, () => Promise<{ readonly default: Dictionary }>>> = {
  de: () => import('../../words/de.json'),
  es: () => import('../../words/es.json'),
  fr: () => import('../../words/fr.json'),
};

let dictionary: Readonly<Record<string, string>> = {};

/** A BCP 47 tag, also for numbers and dates. */
export let language = 'en';

/** Chooses the first of the browser's languages that the page speaks. */
export async function loadWords(wished: readonly string[] = navigator.languages): Promise<void> {
  const known = wished.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'en' || tag in dictionaries);
  try {
    dictionary = (await dictionaries[known ?? '']?.())?.default ?? {};
    language = known ?? 'en';
  } catch {
    // The service cannot be reached, or was updated a moment ago: the page then speaks English.
  }
}

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Text> = [Names<Text>] extends [never] ? [] : [Readonly<Record<Names<Text>, string | number>>];

/** The text in the page's language; `{name}` in it is replaced by the value of this name. */
export function t<Text extends English>(text: Text, ...[values]: Values<Text>): string {
  const given: Readonly<Record<string, string | number>> = values ?? {};
  return translate(text).replace(/\{(\w+)\}/g, (all, name: string) => String(given[name] ?? all));
}

/** For texts that come from the service, of which only the usual ones are translated. */
export const translate = (text: string): string => dictionary[text] ?? text;

/** The service's doubt about a cutout: its own sentence in English, and what its code means in other languages. */
export const translateDoubt = (code: string, detail: string): string => dictionary[code] ?? detail;
