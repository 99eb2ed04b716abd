import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import de from '../../words/de.json';
import es from '../../words/es.json';
import fr from '../../words/fr.json';
import { countWords } from './count-words.ts';
import { language, loadWords, t, translate } from './words.ts';

afterEach(() => loadWords(['en']));

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

test.each(Object.entries({ de, es, fr }))('%s has every text, with its placeholders', (_, words) => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(de).sort());
  for (const [english, text] of Object.entries(words)) {
    expect(text.trim(), english).not.toBe('');
    expect(placeholders(text), english).toEqual(placeholders(english));
  }
});

test('the page or a rule has every translated text, or it is the code of a doubt', () => {
  const code = globSync(['web/src/**/*.{ts,tsx}', 'src/listing/*.{ts,json}'])
    .map((path) => readFileSync(path, 'utf8').replaceAll("\\'", "'"))
    .join('\n');
  expect(
    Object.keys(de).filter(
      (english) =>
        !/^[a-z_]+$/.test(english) && !code.includes(`'${english}'`) && !code.includes(`"${english}"`),
    ),
  ).toEqual([]);
});

test('a count is in the plural of the language', async () => {
  await loadWords(['fr']);
  expect([0, 1, 2].map((count) => countWords(count, 'photo'))).toEqual(['0 photo', '1 photo', '2 photos']);
  await loadWords(['en']);
  expect([0, 1, 2].map((count) => countWords(count, 'photo'))).toEqual(['0 photos', '1 photo', '2 photos']);
});

test('a browser gets the first of its languages that there is, and English otherwise', async () => {
  await loadWords(['it-CH', 'de-AT', 'en']);
  expect(language).toBe('de');
  expect(t('{count} photos', { count: 3 })).toBe('3 Fotos');
  expect(translate('Unheard of')).toBe('Unheard of');
  await loadWords(['ja']);
  expect(t('{count} photos', { count: 3 })).toBe('3 photos');
});
