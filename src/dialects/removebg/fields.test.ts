import { describe, expect, it } from 'vitest';
import type { BodyFields } from '../body-fields.ts';
import { DialectRefusal } from '../failures.ts';
import { readOrder } from './fields.ts';

const file = { bytes: new Uint8Array(4), name: 'a.jpg' };
const fieldsOf = (text: Record<string, string>): BodyFields => ({
  text: new Map(Object.entries(text)),
  files: new Map([['image_file', file]]),
});
const read = (text: Record<string, string> = {}) => readOrder(fieldsOf(text));
const codeOf = (text: Record<string, string>): string => {
  try {
    read(text);
  } catch (error) {
    if (error instanceof DialectRefusal) return error.words.code;
    throw error;
  }
  return 'accepted';
};

describe('the fields of remove.bg', () => {
  it('have the defaults of the original service', () => {
    expect(read()).toMatchObject({
      size: 'preview',
      format: 'auto',
      channels: 'rgba',
      solid: false,
      level: 1,
    });
    expect(read()).toMatchObject({ roi: undefined, crop: undefined, scale: undefined, position: undefined });
  });

  it.each([
    ['0 0 100% 100%', undefined],
    ['0% 0% 100% 100%', undefined],
    ['10px 0 50% 20px', [{ px: 10 }, { px: 0 }, { share: 0.5 }, { px: 20 }]],
  ])('take %s as a region', (roi, expected) => {
    expect(read({ roi }).roi).toEqual(expected);
  });

  it.each(['size', 'type', 'type_level', 'format', 'shadow_type[constructor]'])(
    'refuse or ignore names that every object inherits: %s',
    (name) => {
      const named = (value: string) => JSON.stringify(read({ [name]: value }));
      for (const value of ['constructor', '__proto__', 'toString']) {
        let made = '';
        try {
          made = named(value);
        } catch (error) {
          expect(error).toBeInstanceOf(DialectRefusal);
          continue;
        }
        // As with any other unknown word.
        expect(made).toBe(named('unknown'));
      }
    },
  );

  it('take one, two or four margins, in the order of CSS', () => {
    const crop = (crop_margin: string) => read({ crop: 'true', crop_margin }).crop;
    expect(crop('10%')).toEqual([{ share: 0.1 }, { share: 0.1 }, { share: 0.1 }, { share: 0.1 }]);
    expect(crop('1px 2px')).toEqual([{ px: 1 }, { px: 2 }, { px: 1 }, { px: 2 }]);
    expect(crop('1px 2px 3px 4px')).toEqual([{ px: 1 }, { px: 2 }, { px: 3 }, { px: 4 }]);
    expect(read({ crop_margin: 'x' }).crop).toBeUndefined();
  });

  it('center a scaled subject, unless a position is given', () => {
    expect(read({ scale: '50%' }).position).toEqual({ x: 0.5, y: 0.5 });
    expect(read({ scale: '50%', position: '10% 90%' }).position).toEqual({ x: 0.1, y: 0.9 });
    expect(read({ position: '25%' }).position).toEqual({ x: 0.25, y: 0.25 });
  });

  it('accept a shadow type for each subject class, and read the older add_shadow as a car shadow', () => {
    expect(read({ add_shadow: 'true' }).shadow?.type).toEqual({ all: 'none', car: 'car' });
    expect(read({ 'shadow_type[product]': 'drop', shadow_opacity: '30' }).shadow).toEqual({
      type: { all: 'none', product: 'drop' },
      opacity: { all: 0.3 },
    });
    expect(read({ shadow_type: 'none' }).shadow).toBeUndefined();
  });

  it.each([
    ['invalid_roi', { roi: '0 0 10' }],
    ['invalid_roi', { roi: '0 0 10 10' }],
    ['invalid_crop_margin', { crop: 'yes', crop_margin: '-1px' }],
    ['invalid_crop_margin', { crop: 'yes', crop_margin: '1px 2px 3px' }],
    ['invalid_scale', { scale: '9%' }],
    ['invalid_scale', { scale: '101%' }],
    ['invalid_scale', { scale: '50px' }],
    ['invalid_position', { position: '1% 2% 3%' }],
    ['invalid_position', { position: '10px' }],
    ['invalid_bg_color', { bg_color: '#12345' }],
    ['invalid_type_level', { type_level: '3' }],
    ['invalid_shadow_type', { 'shadow_type[robot]': 'drop' }],
    ['invalid_shadow_opacity', { shadow_opacity: 'much' }],
    ['multiple_sources', { image_url: 'https://example.com/a.jpg' }],
    ['accepted', { type: 'robot', image_filename: 'x', shadow_method: 'legacy' }],
  ])('give the result %s if they are %o', (code, text) => {
    expect(codeOf(text as Record<string, string>)).toBe(code);
  });
});
