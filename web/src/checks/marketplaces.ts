/** The marketplaces whose rules the service can check. */
import type { Marketplace } from '../../../clients/typescript/src/packshot-client.ts';

export const marketplaces: readonly { readonly id: Marketplace; readonly title: string }[] = [
  { id: 'amazon', title: 'Amazon' },
  { id: 'google', title: 'Google' },
  { id: 'walmart', title: 'Walmart' },
  { id: 'ebay', title: 'eBay' },
  { id: 'bol', title: 'bol' },
  { id: 'otto', title: 'OTTO' },
  { id: 'tiktok', title: 'TikTok Shop' },
  { id: 'shopify', title: 'Shopify' },
  { id: 'etsy', title: 'Etsy' },
];

export const titleOf = (marketplace: string): string =>
  marketplaces.find(({ id }) => id === marketplace)?.title ?? marketplace;
