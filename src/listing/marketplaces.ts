/** Marketplace requirements for a main picture, as data: marketplaces.json, in which each rule states its source. */
import { z } from 'zod';
import file from './marketplaces.json' with { type: 'json' };
import type { PictureMeasures } from './measure-picture.ts';

type NumericMeasure = {
  [Name in keyof PictureMeasures]: PictureMeasures[Name] extends number | null ? Name : never;
}[keyof PictureMeasures];

const numeric = z.enum([
  'cornerDarkest',
  'ringWhiteShare',
  'ringWhiteOrClearShare',
  'nearWhiteShare',
  'framed',
  'hasContent',
  'fillShare',
  'longSideShare',
  'productLongestPx',
  'offCenterShare',
  'blur',
  'cutEdges',
  'otherEdges',
  'fragments',
  'bytes',
  'widthPx',
  'heightPx',
  'longestSidePx',
  'shortestSidePx',
  'megapixels',
  'ratio',
  'bitsPerChannel',
  'frames',
] satisfies NumericMeasure[]);
const limits = { min: z.number().optional(), max: z.number().optional() };
const when = z.partialRecord(numeric, z.strictObject(limits)).optional();

const source = z.strictObject({
  url: z.string(),
  /** Title or ID of the page at that address. In a rule, `{page}` stands for the source's own. */
  page: z.string(),
  /** `official`: the marketplace's own page. `secondary`: quoted elsewhere. `advice`: advice or our own tolerance. */
  kind: z.enum(['official', 'secondary', 'advice']),
});

const rule = z.strictObject({
  title: z.string(),
  measure: z.enum([...numeric.options, 'format', 'colorModel', 'provenance']),
  ...limits,
  oneOf: z.array(z.string()).optional(),
  noneOf: z.array(z.string()).optional(),
  /** `required` (the default): a picture that breaks the rule fails. `advised`: it passes with a remark. */
  level: z.enum(['required', 'advised']).optional(),
  /** Text of the summary if a picture breaks the rule; `{count}` stands for the measured value. */
  finding: z.string().optional(),
  findingOfOne: z.string().optional(),
  /** On an advised rule: if a picture breaks the rule, a person must look, so the verdict is `unclear`. */
  asks: z.literal(true).optional(),
  /** Like `asks`, but only below this value of the measure. */
  asksBelow: z.number().optional(),
  /** The rule applies to pictures within all of these limits. */
  onlyIf: when,
  /** The rule does not apply to pictures within all of these limits. */
  unless: when,
});

/** What a marketplace says of a rule; the rest is as in `rules`. */
const entry = z.strictObject({ ...source.shape, ...rule.shape, source: z.string() }).partial();
const marketplace = z.strictObject({
  title: z.string(),
  /** Where the rules come from that name no other source. */
  source: z.string(),
  rules: z.array(z.union([z.string(), entry.extend({ id: z.string() })])),
  /** Requirements that cannot be checked from pixels. */
  notChecked: z.array(z.string()),
});
const { sources, rules, checkedOn } = z
  .object({
    checkedOn: z.string(),
    sources: z.record(z.string(), source),
    rules: z.record(z.string(), entry),
  })
  .parse(file);

export type Source = z.infer<typeof source> & { readonly checkedOn: string };
export type Rule = z.infer<typeof rule> & {
  readonly id: string;
  readonly level: 'required' | 'advised';
  readonly source: Source;
};
export interface Marketplace {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly notChecked: readonly string[];
}
export type MarketplaceId = keyof typeof file.marketplaces;

export const marketplaceIds = Object.keys(file.marketplaces) as [MarketplaceId, ...MarketplaceId[]];
export const marketplaces = Object.fromEntries(
  marketplaceIds.map((id) => [id, readMarketplace(marketplace.parse(file.marketplaces[id]))]),
) as Readonly<Record<MarketplaceId, Marketplace>>;

function readMarketplace({ title, notChecked, ...from }: z.infer<typeof marketplace>): Marketplace {
  const listed = from.rules.map((item) => (typeof item === 'string' ? { id: item } : item));
  return { title, notChecked, rules: listed.map(({ id, ...own }) => readRule(id, from.source, own)) };
}

function readRule(id: string, standard: string, own: z.infer<typeof entry>): Rule {
  const { source = standard, kind, page = '{page}', ...fields } = { ...rules[id], ...own };
  const from = sources[source];
  if (!from) throw new Error(`marketplaces.json: rule ${id} names ${source}, which is not a source`);
  const { level = 'required', ...read } = rule.parse(fields);
  const { url, kind: given } = from;
  const found = level === 'advised' ? 'advice' : (kind ?? given);
  return {
    id,
    ...read,
    level,
    source: { url, page: page.replace('{page}', from.page), checkedOn, kind: found },
  };
}
