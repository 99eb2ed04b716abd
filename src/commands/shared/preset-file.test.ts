import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import type { Preset } from '../../recipes/presets.ts';
import { reviewPreset } from '../../recipes/review-preset.ts';
import { formatPreset, parsePresetFile } from './preset-file.ts';

function refusalOf(text: string): string {
  try {
    parsePresetFile(text);
  } catch (error) {
    expect(error).toBeInstanceOf(PackshotError);
    expect((error as PackshotError).code).toBe('invalid_field');
    return (error as PackshotError).message;
  }
  throw new Error('the file was accepted, but should be rejected');
}

describe('a preset file', () => {
  const full: Preset = {
    name: 'ACME_SPRING',
    title: 'Spring: "new"',
    recipes: ['Solid*_0035', '*'],
    families: ['solid'],
    styles: [],
    palette: ['#B5523A'],
    ratios: ['1:1', '9:16'],
    lists: 2,
    perList: 6,
  };

  it('holds one preset or a list, in YAML or JSON', () => {
    expect(parsePresetFile('name: ACME\nratios: [4:5, 16:9]')).toEqual([
      { name: 'ACME', ratios: ['4:5', '16:9'] },
    ]);
    expect(parsePresetFile('- name: ACME\n- name: OTHER')).toHaveLength(2);
    expect(parsePresetFile(JSON.stringify([full], null, '\t'))).toEqual([full]);
  });

  it('from the documentation is valid, and the page quotes its warnings', async () => {
    const page = await readFile(new URL('../../../docs/presets.md', import.meta.url), 'utf8');
    const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    const [preset, ...others] = parsePresetFile(example);
    expect(others).toEqual([]);
    for (const warning of reviewPreset(preset!).warnings) expect(page).toContain(warning);
  });

  it('is parsed to the preset that it was written from', () => {
    expect(parsePresetFile(`# granted to nobody\n${formatPreset(full)}`)).toEqual([full]);
  });

  it.each(['acme-brand', ' Acme: "spring" ', '#1', 'ä', '2026'])('may name its preset %j', (name) => {
    expect(parsePresetFile(formatPreset({ name }))).toEqual([{ name }]);
    expect(parsePresetFile(JSON.stringify({ name }))).toEqual([{ name }]);
  });

  it.each([
    ['AI_STUDIO', /line 1, name: AI_STUDIO is built in/],
    ['2026', /line 1, name: Needs text; in YAML, quote/],
    ['"a\\nb"', /line 1, name: Needs 1 to 100 characters/],
    ['""', /line 1, name: Needs 1 to 100 characters/],
  ])('may not name its preset %s', (name, why) => {
    expect(refusalOf(`name: ${name}`)).toMatch(why);
  });

  it('is rejected with the line number of every error', () => {
    const message = refusalOf(
      ['- name: ACME', '  colour: red', '  palette:', '    - "#112233"', '    - #445566', '- lists: 9'].join(
        '\n',
      ),
    );
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}line 5, palette\[1\]: Needs a quoted/),
      expect.stringMatching(/^ {2}line 2, colour: unknown field\. The fields are name, /),
      expect.stringMatching(/^ {2}line 6, name: /),
      expect.stringMatching(/^ {2}line 6, lists: /),
    ]);
  });

  it('is rejected if it contains a name twice', () => {
    expect(refusalOf('- name: ACME\n- name: ACME')).toMatch(/line 2, name: ACME appears twice/);
  });

  it('is rejected if it is empty, invalid YAML, or no preset at all', () => {
    expect(refusalOf('name: ACME\npalette: [')).toMatch(/line 2: /);
    expect(refusalOf('name: ACME\nname: OTHER')).toMatch(/line 2: Map keys must be unique/);
    expect(refusalOf('name: ACME\nrecipes: [*_0035]')).toMatch(/line 2: \*_0035 needs quotes/);
    for (const empty of ['', '[]', '# nothing yet']) expect(refusalOf(empty)).toMatch(/it is empty/);
    expect(refusalOf('just a line')).toMatch(/line 1, the preset: /);
  });

  it('cannot exhaust memory with YAML aliases that expand exponentially', () => {
    const level = (name: string, of: string) => `${name}: &${name} [${`*${of},`.repeat(9)}]`;
    const bomb = ['a: &a [x]', level('b', 'a'), level('c', 'b'), level('d', 'c'), level('e', 'd')].join('\n');
    expect(refusalOf(bomb)).toMatch(/expand too much/);
  });
});
