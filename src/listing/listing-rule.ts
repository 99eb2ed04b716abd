/** TypeScript types for marketplaces and rules, and the rules that several marketplaces share. */
import type { PictureMeasures } from './measure-picture.ts';

export const marketplaceIds = [
  'amazon',
  'google',
  'walmart',
  'ebay',
  'bol',
  'otto',
  'tiktok',
  'shopify',
  'etsy',
] as const;
export type MarketplaceId = (typeof marketplaceIds)[number];

export interface Source {
  readonly url: string;
  /** Title or ID of the page at that address. */
  readonly page: string;
  readonly checkedOn: string;
  /** `official`: the marketplace's own page. `secondary`: quoted elsewhere. `advice`: advice or our own tolerance. */
  readonly kind: 'official' | 'secondary' | 'advice';
}

/** Names of measures that are numbers, or null if they cannot be measured. */
export type NumericMeasure = {
  [Name in keyof PictureMeasures]: PictureMeasures[Name] extends number | null ? Name : never;
}[keyof PictureMeasures];

export type Rule = {
  readonly id: string;
  readonly title: string;
  /** `required`: a picture that breaks the rule fails. `advised`: such a picture passes with a remark. */
  readonly level: 'required' | 'advised';
  readonly source: Source;
  /** Text of the summary if a picture breaks the rule. */
  readonly finding?: (measured: number) => string;
  /** On an advised rule: if a picture breaks the rule, a person must look, so the verdict is `unclear`. */
  readonly asks?: true;
  /** Like `asks`, but only below this value of the measure. */
  readonly asksBelow?: number;
  /** Whether the rule applies to a picture; by default, it applies to all pictures. */
  readonly applies?: (measures: PictureMeasures) => boolean;
} & (
  | ({ readonly measure: NumericMeasure } & Limits)
  | ({ readonly measure: 'format' | 'colorModel' | 'profile' | 'provenance' } & Names)
);

export interface Marketplace {
  readonly title: string;
  readonly rules: readonly Rule[];
  /** Requirements that cannot be checked from pixels. */
  readonly notChecked: readonly string[];
}

const checkedOn = '2026-11-22';
export const official = (url: string, page: string): Source => ({ url, page, checkedOn, kind: 'official' });
export const secondary = (url: string, page: string): Source => ({ url, page, checkedOn, kind: 'secondary' });
export const asAdvice = (source: Source): Source => ({ ...source, kind: 'advice' });

/** IPTC digital source types of pictures that are generated, wholly or in part. */
const generated = [
  'compositeSynthetic',
  'compositeWithTrainedAlgorithmicMedia',
  'trainedAlgorithmicMedia',
  'algorithmicMedia',
];

type Level = Rule['level'];
export interface Limits {
  readonly min?: number;
  readonly max?: number;
}
export interface Names {
  readonly oneOf?: readonly string[];
  readonly noneOf?: readonly string[];
}

export const white = (source: Source, level: Level = 'required'): Rule[] => [
  number('corners', 'Corners are pure white', 'cornerDarkest', { min: 255 }, source, level),
  number('ring', 'The edge of the picture is pure white', 'ringWhiteShare', { min: 1 }, source, level),
  advised(
    'near-white',
    'The background has hardly any off-white (250 to 254)',
    'nearWhiteShare',
    { max: 0.01 },
    { ...source, page: `${source.page}; the limit is our own` },
  ),
  {
    ...advised(
      'fragments',
      'No small parts apart from the product, such as leftovers of the old background',
      'fragments',
      { max: 0 },
      { ...source, page: `${source.page}; what counts as small is our own` },
    ),
    finding: (count) =>
      count === 1
        ? '1 small part is separate from the product: a leftover, or a part of it?'
        : `${count} small parts are separate from the product: leftovers, or parts of it?`,
    asks: true,
  },
];
export const noFrame = (source: Source): Rule =>
  number('border', 'No border line', 'framed', { max: 0 }, source);
export const framing = (source: Source): Rule[] => {
  const ours = { ...source, page: 'our own advice' };
  return [
    {
      ...advised('cut', 'The frame does not crop the product', 'cutEdges', { max: 0 }, ours),
      finding: () => 'the frame crops the product',
    },
    {
      ...advised('edge', 'Nothing else touches the edge', 'otherEdges', { max: 0 }, ours),
      finding: () => 'something else touches the edge',
    },
    {
      ...advised('center', 'The product is in the middle', 'offCenterShare', { max: 0.03 }, ours),
      finding: () => 'center the product',
      applies: ({ cutEdges, hasContent }) => cutEdges === 0 && hasContent === 1,
    },
  ];
};
export const showsProduct = (source: Source): Rule[] => {
  const ours = { ...asAdvice(source), page: 'our own check' };
  return [
    {
      ...number('product', 'A product is found', 'hasContent', { min: 1 }, ours),
      finding: () => 'no product found',
    },
    {
      ...advised('focus', 'The product is not blurred', 'blur', { max: 0.75 }, ours),
      finding: () => 'the product looks blurred',
      asks: true,
    },
  ];
};
export const fill = (
  limits: { readonly min: number; readonly max?: number },
  source: Source,
  level: Level = 'required',
): Rule[] => [
  (level === 'advised' ? advised : number)(
    'fill',
    'The product fills the picture',
    'fillShare',
    limits,
    source,
  ),
  {
    ...advised(
      'crop',
      'The product fills the longer side of a picture that is not square',
      'longSideShare',
      { min: limits.min },
      { ...source, page: 'our own advice' },
    ),
    finding: () => 'crop to a square',
    asksBelow: limits.min / 2,
    applies: ({ ratio, hasContent }) => hasContent === 1 && (ratio < square.min || ratio > square.max),
  },
];
export const format = (source: Source, ...oneOf: string[]): Rule => ({
  id: 'format',
  title: 'File format',
  measure: 'format',
  oneOf,
  level: 'required',
  source,
});
export const colors = (source: Source, ...oneOf: string[]): Rule => ({
  ...format(source, ...oneOf),
  id: 'colors',
  title: 'Colors',
  measure: 'colorModel',
});
export const number = (
  id: string,
  title: string,
  measure: NumericMeasure,
  limits: Limits,
  source: Source,
  level: Level = 'required',
): Rule => ({ id, title, measure, ...limits, level, source });
export const advised = (
  id: string,
  title: string,
  measure: NumericMeasure,
  limits: Limits,
  source: Source,
): Rule => number(id, title, measure, limits, asAdvice(source), 'advised');
export const notGenerated = (source: Source): Rule => ({
  id: 'provenance',
  title: 'A photograph, not marked as a generated scene',
  measure: 'provenance',
  noneOf: generated,
  level: 'required',
  source,
});
export const square = { min: 0.99, max: 1.01 } as const;
