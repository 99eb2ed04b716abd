import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../../pixels/src/pixels.ts';
import { measureProduct } from './product-features.ts';
import { detectKindByRules } from './product-kind.ts';
import {
  drawCard,
  drawChair,
  drawFlacon,
  drawMug,
  drawShirt,
  drawShoe,
  makeFeatures,
} from './testing/silhouettes.ts';

const detect = (image: RgbaImage) => detectKindByRules({ features: measureProduct(image)! });

describe('detectKindByRules', () => {
  it.each([
    ['a shoe', drawShoe, 'Apparel & Accessories', 'long-low'],
    ['a shirt', drawShirt, 'Apparel & Accessories', 'garment'],
    ['a chair', drawChair, 'Furniture', 'large'],
    ['a perfume bottle', drawFlacon, 'Health & Beauty', 'upright-tall'],
    ['a mug', drawMug, 'Home & Garden', 'upright-squat'],
    ['a card', drawCard, 'Unknown', 'panel'],
  ] as const)('detects the kind and the staging of %s from its outline', (_, draw, kind, staging) => {
    expect(detect(draw())).toMatchObject({ kind, staging });
  });

  it('recognizes, by file name, potted plants and lamps', () => {
    const named = (fileName: string) => detectKindByRules({ features: makeFeatures(), fileName });
    expect(named('pink-orchid.jpg')).toMatchObject({ kind: 'Home & Garden', lengthCm: 48 });
    expect(named('Tulpen.png')).toMatchObject({ kind: 'Home & Garden', staging: 'upright-tall' });
    expect(named('desk-lamp.jpg')).toMatchObject({ kind: 'Home & Garden' });
  });

  it('distinguishes furniture and hand-sized products from other long products', () => {
    const sofa = makeFeatures({
      aspect: 2.8,
      fill: 0.755,
      symmetry: 0.97,
      solidity: 0.815,
      profile: [0.55, 0.91, 1, 0.99, 0.985, 0.976, 0.56, 0.04],
      footWidth: 0.82,
      legs: 2,
    });
    expect(detectKindByRules({ features: sofa })).toMatchObject({ kind: 'Furniture', staging: 'large' });
    const glasses = { ...sofa, legs: 0, profile: [0.43, 0.76, 0.93, 0.93, 0.93, 0.86, 0.71, 0.36] };
    expect(detectKindByRules({ features: glasses }).staging).toBe('small-precious');
    const table = makeFeatures({
      aspect: 0.58,
      fill: 0.32,
      symmetry: 0.42,
      solidity: 0.43,
      thinness: 0.49,
      profile: [0.23, 0.54, 0.68, 0.3, 0.25, 0.24, 0.22, 0.09],
      legsElevationDeg: 21.5,
    });
    expect(detectKindByRules({ features: table })).toMatchObject({ kind: 'Furniture', staging: 'large' });
    expect(detectKindByRules({ features: { ...table, legsElevationDeg: undefined } }).staging).not.toBe(
      'large',
    );
    const bicycle = makeFeatures({
      aspect: 1.58,
      fill: 0.31,
      symmetry: 0.44,
      solidity: 0.37,
      holes: 0.27,
      thinness: 0.9,
      footWidth: 0.8,
      legs: 4,
    });
    expect(detectKindByRules({ features: bicycle }).staging).toBe('large');
    const mouse = makeFeatures({
      aspect: 1.78,
      fill: 0.72,
      symmetry: 0.7,
      solidity: 0.99,
      profile: [0.37, 0.66, 0.83, 0.93, 0.96, 0.91, 0.72, 0.36],
      footWidth: 0.35,
    });
    expect(detectKindByRules({ features: mouse })).toMatchObject({ staging: 'long-low', lengthCm: 13 });
  });

  it('orders named products by length', () => {
    const lengthOf = (fileName: string) =>
      detectKindByRules({ features: makeFeatures({ symmetry: 0.5 }), fileName }).lengthCm;
    const named = ['gold-ring.jpg', 'mug.jpg', 'laptop.jpg', 'guitar.jpg', 'sofa.jpg'].map(lengthOf);
    expect(named).toEqual(named.toSorted((one, other) => one! - other!));
    expect(lengthOf('IMG_2044.jpeg')).toBeUndefined();
  });

  it('trusts a silhouette less than a name, and a name less than the caller', () => {
    const features = measureProduct(drawFlacon())!;
    const byOutline = detectKindByRules({ features });
    const byName = detectKindByRules({ features, fileName: 'olive-oil_500ml.JPG' });
    const byHint = detectKindByRules({ features, fileName: 'olive-oil_500ml.JPG', hint: 'Toys & Games' });
    expect(byName.kind).toBe('Food, Beverages & Tobacco');
    expect(byHint).toMatchObject({ kind: 'Toys & Games', confidence: 1 });
    expect(byOutline.confidence).toBeLessThan(byName.confidence);
    expect(byName.confidence).toBeLessThan(byHint.confidence);
  });

  it.each([
    ['blueTravelMug-02.png', 'Home & Garden'],
    ['Turnschuhe_weiß.jpg', 'Unknown'],
    ['weisse-schuhe.jpg', 'Apparel & Accessories'],
    ['IMG_2044.jpeg', 'Unknown'],
    ['wooden chairs.webp', 'Furniture'],
  ])('reads the file name %s', (fileName, kind) => {
    expect(detectKindByRules({ features: makeFeatures({ symmetry: 0.5 }), fileName }).kind).toBe(kind);
  });

  it('ignores an unknown hint', () => {
    expect(detectKindByRules({ features: makeFeatures({ symmetry: 0.5 }), hint: 'gizmo' }).kind).toBe(
      'Unknown',
    );
  });

  it('gives its reason', () => {
    expect(detect(drawShoe()).because).toBe('its outline looks like a shoe');
  });
});
