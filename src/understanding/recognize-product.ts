/** Recognizes the product in a new cutout: immediately by rules, and by a vision model in the background. */

import type { FreshCutout } from 'packshot-cutout/service';
import {
  detectKindByRules,
  findStance,
  type ProductFacts,
  type ProductFeatures,
  type ProductKind,
  poseOf,
} from 'packshot-sets';
import type { Design } from '../designs/design.ts';
import type { Tasks } from '../tasks.ts';
import type { lookAtCutout } from './look-at-cutout.ts';
import type { VisionKindDetector } from './vision-kind.ts';

interface Dependencies {
  readonly imaging: Tasks<{ lookAtCutout: typeof lookAtCutout }>;
  /** Undefined without a vision model. */
  readonly detectKind: VisionKindDetector | undefined;
  readonly onError: (error: unknown) => void;
}

/** Neither function rejects, because a cutout is useful even if the kind of product is unknown. */
export function createProductRecognizer({ imaging, detectKind, onError }: Dependencies) {
  const look = (
    { accountId }: Design,
    { cutoutPng, subject: { boundingBox: box, touchesEdges } }: FreshCutout,
    urgency: 'upload' | 'ahead',
  ) => imaging.lookAtCutout({ cutoutPng, box, touchesEdges }, { signal: never, urgency, account: accountId });

  return {
    /** Undefined for a nearly empty cutout, or if measuring failed. */
    async recognizeProduct(design: Design, made: FreshCutout): Promise<ProductFacts | undefined> {
      try {
        const { features } = await look(design, made, 'upload');
        const { fileName, kindHint: hint } = design.origin;
        return features && withPose(features, detectKindByRules({ features, fileName, hint }));
      } catch (error) {
        onError(error);
        return undefined;
      }
    },

    /** The vision model's result, which may take long; undefined without a model, or after a failure. */
    async recognizeBetter(design: Design, made: FreshCutout): Promise<ProductFacts | undefined> {
      if (!detectKind) return undefined;
      try {
        const { features, picturePng } = await look(design, made, 'ahead');
        const { fileName, kindHint: hint } = design.origin;
        if (!features) return undefined;
        const { fallsOver } = detectKindByRules({ features, fileName, hint });
        const kind = await detectKind({ features, picturePng, fileName, hint, signal: never });
        return withPose(features, { ...kind, ...(fallsOver && { fallsOver }) });
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}

function withPose(features: ProductFeatures, kind: ProductKind): ProductFacts {
  const pose = poseOf(findStance(features, kind));
  return { ...kind, ...(pose && { pose }) };
}

/** A signal that never aborts: the cutout's job does not wait for the model. */
const never = new AbortController().signal;
