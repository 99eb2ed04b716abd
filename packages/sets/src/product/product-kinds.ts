/** The shop categories of products. Data only. */

/**
 * The 21 top-level categories of the Google product taxonomy, version 2021-09-21, in alphabetical order; and `Unknown`.
 */
export const productKinds = [
  'Animals & Pet Supplies',
  'Apparel & Accessories',
  'Arts & Entertainment',
  'Baby & Toddler',
  'Business & Industrial',
  'Cameras & Optics',
  'Electronics',
  'Food, Beverages & Tobacco',
  'Furniture',
  'Hardware',
  'Health & Beauty',
  'Home & Garden',
  'Luggage & Bags',
  'Mature',
  'Media',
  'Office Supplies',
  'Religious & Ceremonial',
  'Software',
  'Sporting Goods',
  'Toys & Games',
  'Vehicles & Parts',
  'Unknown',
] as const;
export type ProductKindName = (typeof productKinds)[number];
