import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { mutationsSchema } from '../../recipes/mutations.ts';
import { addChangeOptions, type ChangeOptions, readChanges } from './recipe-changes.ts';

function parse(...words: string[]) {
  const command = new Command('remove').exitOverride().configureOutput({ writeErr: () => undefined });
  return readChanges(addChangeOptions(command).parse(words, { from: 'user' }).opts<ChangeOptions>());
}

describe('options that change a recipe', () => {
  it('become the mutations of the API', () => {
    const all = '--margin 0.07 --align baseline --scale 0.8 --shadow contact --shadow-strength 0.5';
    expect(parse(...all.split(' '), '--background', '#ffcc00', '--shrink', '1.5')).toEqual({
      layout: { margin: 0.07, align: 'baseline', scale: 0.8 },
      shadow: { kind: 'contact', strength: 0.5 },
      background: { color: '#FFCC00' },
      edge: { shrinkPx: 1.5 },
    });
    expect(parse('--x', '0.25', '--y', '75%', '--rotate', '-15')).toEqual({
      layout: { x: 0.25, y: 0.75, rotate: -15 },
    });
    expect(parse('--scale', '1')).toEqual({ layout: { scale: 1 } });
    expect(parse()).toBeUndefined();
  });

  it.each([
    ['--margin', '0', '0.4', '0.41'],
    ['--scale', '0.1', '1', '1.1'],
    ['--x', '0', '1', '1.1'],
    ['--y', '0', '1', '1.1'],
    ['--shadow-strength', '0', '1', '2'],
    ['--shrink', '0', '4', '5'],
  ])('accept %s from %s to %s, like the API', (flag, least, most, beyond) => {
    for (const value of [least, most]) {
      expect(mutationsSchema.safeParse(parse(flag, value))).toMatchObject({ success: true });
    }
    for (const value of [beyond, '-1', 'wide', ''])
      expect(() => parse(flag, value)).toThrow(/Needs a number/);
  });

  it('accept rotations from -180 to 180 degrees', () => {
    for (const degrees of ['-180', '180'])
      expect(mutationsSchema.safeParse(parse('--rotate', degrees))).toMatchObject({ success: true });
    expect(() => parse('--rotate', '181')).toThrow(/-180 to 180/);
  });

  it('accept margin and scale as percentages', () => {
    expect(parse('--margin', '7%', '--scale', '85 %')).toEqual({ layout: { margin: 0.07, scale: 0.85 } });
    expect(() => parse('--margin', '41%')).toThrow(/0 to 0\.4/);
  });

  it('accept colors of three or six digits, also without the # that shells read as a comment', () => {
    for (const color of ['#ff8800', 'FF8800', '#f80', 'f80'])
      expect(parse('--background', color)).toEqual({ background: { color: '#FF8800' } });
    for (const color of ['orange', '#ff88', '#ff880080'])
      expect(() => parse('--background', color)).toThrow(/#RRGGBB/);
  });
});
