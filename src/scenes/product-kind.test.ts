import { describe, expect, it } from 'vitest';
import type { RgbaImage } from '../pixels.ts';
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
    ['a flacon', drawFlacon, 'Health & Beauty', 'upright-tall'],
    ['a mug', drawMug, 'Home & Garden', 'upright-squat'],
    ['a card', drawCard, 'Unknown', 'panel'],
  ] as const)('stages the outline of %s', (_, draw, kind, staging) => {
    expect(detect(draw())).toMatchObject({ kind, staging });
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
