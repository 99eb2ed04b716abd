/** Marketplace requirements for a main picture, as data: each rule states its source and when we read it. */
import {
  advised,
  colors,
  fill,
  format,
  framing,
  type Marketplace,
  type MarketplaceId,
  noFrame,
  notGenerated,
  number,
  official,
  secondary,
  showsProduct,
  square,
  white,
} from './listing-rule.ts';

const amazonHelp = official('https://sellercentral.amazon.es', 'help page 75PWC4THA8J269P');
const amazonCopy = secondary('https://help.e-tailize.com', "copy of Amazon's image requirements");
const amazonOthers = secondary('https://mercatuslab.com', 'Amazon image requirements; jpg.now agrees');
const googleHelp = official('https://support.google.com/merchants/answer/6324350', 'Image link [image_link]');
const walmartLearn = official('https://marketplacelearn.walmart.com', 'image guidelines of 2025-07-15');
const ebayPolicy = official('https://www.ebay.com', 'picture policy, id=4370');
const bolPartner = official('https://partnerplatform.bol.com', 'optimise images');
const ottoQuote = secondary('https://portal.marcos-software.de', 'article 26000044569, quoting OTTO Market');
const tiktokOthers = secondary(
  'https://emberfeed.com',
  'TikTok Shop images, 2026-05; imagespeccheck.com agrees',
);
const shopifyOthers = secondary('https://sellshot.ai', 'Shopify images, quoting help.shopify.com');
const etsyPolicy = official('https://www.etsy.com/legal/policy/listing-image-requirements', 'listing images');
const etsyOthers = secondary('https://hauld.app', 'Etsy image sizes, 2026-05');

const overlays = 'text, logos, watermarks and seals on the picture';
const props = 'props and anything that is not sold with the product';

export const marketplaces: Readonly<Record<MarketplaceId, Marketplace>> = {
  amazon: {
    title: 'Amazon, main image',
    rules: [
      ...showsProduct(amazonHelp),
      number('size', 'Longest side', 'longestSidePx', { min: 500, max: 10_000 }, amazonCopy),
      advised('size-zoom', 'Longest side, for zoom', 'longestSidePx', { min: 1600 }, amazonOthers),
      format(amazonCopy, 'jpeg', 'tiff', 'png', 'gif'),
      number('animation', 'Not animated', 'frames', { max: 1 }, amazonCopy),
      number('bytes', 'File size', 'bytes', { max: 10_000_000 }, amazonOthers),
      ...white(amazonHelp),
      ...fill({ min: 0.85 }, amazonCopy),
      ...framing(amazonCopy),
      noFrame(amazonCopy),
      colors(amazonCopy, 'rgb', 'cmyk'),
      notGenerated(amazonCopy),
    ],
    notChecked: [
      overlays,
      'inset pictures',
      props,
      'leftovers that are as light as the background or touch the product',
    ],
  },
  google: {
    title: 'Google Merchant Center',
    rules: [
      ...showsProduct(googleHelp),
      number('size', 'Shortest side (500 from 2027-01-31)', 'shortestSidePx', { min: 500 }, googleHelp),
      advised('size-good', 'Longest side', 'longestSidePx', { min: 1500 }, googleHelp),
      number('megapixels', 'Size', 'megapixels', { max: 64 }, googleHelp),
      number('bytes', 'File size', 'bytes', { max: 16_000_000 }, googleHelp),
      format(googleHelp, 'jpeg', 'webp', 'png', 'gif', 'bmp', 'tiff'),
      advised(
        'background',
        'White or transparent at the edge',
        'ringWhiteOrClearShare',
        { min: 1 },
        googleHelp,
      ),
      ...fill({ min: 0.75, max: 0.9 }, googleHelp, 'advised'),
      noFrame(googleHelp),
    ],
    notChecked: [
      overlays,
      'placeholders',
      'whether the picture was enlarged',
      'whether a generated picture has lost its IPTC mark, which Google wants kept',
    ],
  },
  walmart: {
    title: 'Walmart Marketplace',
    rules: [
      ...showsProduct(walmartLearn),
      number('size', 'Shortest side, for zoom', 'shortestSidePx', { min: 1500 }, walmartLearn),
      advised('size-good', 'Shortest side', 'shortestSidePx', { min: 2200 }, walmartLearn),
      number('ratio', 'Square', 'ratio', square, walmartLearn),
      format(walmartLearn, 'jpeg', 'png', 'bmp'),
      number('bytes', 'File size', 'bytes', { max: 5_000_000 }, walmartLearn),
      number('depth', 'Bits per channel', 'bitsPerChannel', { max: 8 }, walmartLearn),
      colors(walmartLearn, 'rgb'),
      ...white(walmartLearn),
      ...framing(walmartLearn),
    ],
    notChecked: ['at least four pictures per product', 'the URL of the picture'],
  },
  ebay: {
    title: 'eBay',
    rules: [
      ...showsProduct(ebayPolicy),
      number('size', 'Longest side', 'longestSidePx', { min: 500 }, ebayPolicy),
      advised('size-good', 'Longest side', 'longestSidePx', { min: 1600 }, ebayPolicy),
      noFrame(ebayPolicy),
    ],
    notChecked: [overlays, 'artwork', 'stock photos of used goods'],
  },
  bol: {
    title: 'bol, main image',
    rules: [
      ...showsProduct(bolPartner),
      number('size', 'Shortest side', 'shortestSidePx', { min: 500 }, bolPartner),
      number('size-most', 'Longest side', 'longestSidePx', { max: 6000 }, bolPartner),
      number(
        'product-size',
        'The product itself, without white space',
        'productLongestPx',
        { min: 500 },
        bolPartner,
      ),
      advised('size-zoom', 'Longest side, for zoom', 'longestSidePx', { min: 1200 }, bolPartner),
      number('bytes', 'File size', 'bytes', { min: 30_000, max: 10_000_000 }, bolPartner),
      ...white(bolPartner),
      ...framing(bolPartner),
    ],
    notChecked: [
      overlays,
      'models and mannequins',
      'illustrations',
      'a visible shadow',
      'whether it is the front',
    ],
  },
  otto: {
    title: 'OTTO Market',
    rules: [
      ...showsProduct(ottoQuote),
      number('width', 'Width', 'widthPx', { min: 480 }, ottoQuote),
      number('height', 'Height', 'heightPx', { min: 960 }, ottoQuote),
      number('size-most', 'Longest side', 'longestSidePx', { max: 4500 }, ottoQuote),
      format(ottoQuote, 'jpeg', 'png'),
      colors(ottoQuote, 'rgb'),
      ...fill({ min: 0.85 }, ottoQuote),
    ],
    notChecked: [overlays, 'icons', 'whether the background is light and neutral', 'the name of the file'],
  },
  tiktok: {
    title: 'TikTok Shop, main image',
    rules: [
      ...showsProduct(tiktokOthers),
      number('size', 'Shortest side', 'shortestSidePx', { min: 600 }, tiktokOthers),
      number('size-most', 'Longest side', 'longestSidePx', { max: 6000 }, tiktokOthers),
      advised('size-good', 'Shortest side', 'shortestSidePx', { min: 800 }, tiktokOthers),
      advised('ratio', 'Square', 'ratio', square, tiktokOthers),
      format(tiktokOthers, 'jpeg', 'png'),
      number('bytes', 'File size', 'bytes', { max: 5_000_000 }, tiktokOthers),
      ...white(tiktokOthers),
      ...fill({ min: 0.8 }, tiktokOthers),
    ],
    notChecked: [overlays, 'at least five pictures per product', 'categories that do not require white'],
  },
  shopify: {
    title: 'Shopify',
    rules: [
      ...showsProduct(shopifyOthers),
      number('size-most', 'Longest side', 'longestSidePx', { max: 5000 }, shopifyOthers),
      number('megapixels', 'Size', 'megapixels', { max: 25 }, shopifyOthers),
      advised('size-zoom', 'Shortest side, for zoom', 'shortestSidePx', { min: 800 }, shopifyOthers),
      advised('size-good', 'Longest side', 'longestSidePx', { min: 2048 }, shopifyOthers),
      number('bytes', 'File size', 'bytes', { max: 19_999_999 }, shopifyOthers),
      format(shopifyOthers, 'png', 'jpeg', 'webp', 'gif', 'heic'),
    ],
    notChecked: ['one ratio for all pictures of a shop'],
  },
  etsy: {
    title: 'Etsy',
    rules: [
      ...showsProduct(etsyPolicy),
      advised('size', 'Longest side', 'longestSidePx', { min: 2000 }, etsyOthers),
      advised(
        'size-both',
        'Shortest side, according to other sources',
        'shortestSidePx',
        { min: 2000 },
        etsyOthers,
      ),
      format(etsyOthers, 'jpeg', 'png', 'gif'),
      number('bytes', 'File size', 'bytes', { max: 10_000_000 }, etsyOthers),
      notGenerated(etsyPolicy),
    ],
    notChecked: ['whether it shows the item itself, and not a stock photo or a rendering'],
  },
};
