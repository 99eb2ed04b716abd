import { expect, it } from 'vitest';
import type { SubjectFacts } from '../../packages/cutout/src/subject.ts';
import type { Edge } from '../../packages/pixels/src/pixels.ts';
import { makeFeatures } from '../../packages/sets/src/testing/silhouettes.ts';
import type { Design } from '../designs/design.ts';
import { createProductRecognizer } from './recognize-product.ts';

const straps = { profile: [0.1, 0.1, 0.5, 0.9, 0.9, 0.9, 0.9, 0.6], footWidth: 0.2 };

it('notes with the kind of product how the product can be shown', async () => {
  const seen: Edge[][] = [];
  const recognizer = createProductRecognizer({
    imaging: {
      lookAtCutout: async (cutout) => {
        const { touchesEdges } = cutout as { touchesEdges: readonly Edge[] };
        seen.push([...touchesEdges]);
        const cropped = touchesEdges.includes('top') ? { top: 0.1 } : {};
        return { features: makeFeatures({ ...straps, cropped }), picturePng: new Uint8Array() };
      },
    },
    detectKind: undefined,
    onError: (error) => expect.fail(String(error)),
  });
  const recognize = (fileName: string, touchesEdges: Edge[]) => {
    const subject = { boundingBox: { x: 0, y: 0, width: 60, height: 100 }, touchesEdges } as unknown;
    return recognizer.recognizeProduct({ accountId: 'a', origin: { fileName } } as Design, {
      cutoutPng: new Uint8Array(),
      subject: subject as SubjectFacts,
    });
  };
  expect(await recognize('camera.jpg', ['top'])).toMatchObject({ kind: 'Cameras & Optics', pose: 'hung' });
  expect(await recognize('camera.jpg', [])).not.toHaveProperty('pose');
  expect(seen).toEqual([['top'], []]);
});
