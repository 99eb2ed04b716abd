/** Recognizes the product in a new cutout: immediately by rules, and by a vision model in the background. */
import type { Design } from '../designs/design.ts';
import type { FreshCutout, ProductFacts } from '../designs/subject.ts';
import type { Tasks } from '../tasks.ts';
import type { lookAtCutout } from './look-at-cutout.ts';
import { detectKindByRules } from './product-kind.ts';
import type { VisionKindDetector } from './vision-kind.ts';

interface Dependencies {
  readonly imaging: Tasks<{ lookAtCutout: typeof lookAtCutout }>;
  /** Undefined without a vision model. */
  readonly detectKind: VisionKindDetector | undefined;
  readonly onError: (error: unknown) => void;
}

/** Neither function rejects: a cutout is useful without the kind of its product. */
export function createProductRecognizer({ imaging, detectKind, onError }: Dependencies) {
  const look = ({ accountId }: Design, made: FreshCutout, urgency: 'upload' | 'ahead') =>
    imaging.lookAtCutout(
      { cutoutPng: made.cutoutPng, box: made.subject.boundingBox },
      { signal: never, urgency, account: accountId },
    );

  return {
    /** Undefined for a nearly empty cutout. */
    async recognizeProduct(design: Design, made: FreshCutout): Promise<ProductFacts | undefined> {
      try {
        const { features } = await look(design, made, 'upload');
        const { fileName, kindHint: hint } = design.origin;
        return features && detectKindByRules({ features, fileName, hint });
      } catch (error) {
        onError(error);
        return undefined;
      }
    },

    /** A vision model's opinion, which may take long; undefined without such a model. */
    async recognizeBetter(design: Design, made: FreshCutout): Promise<ProductFacts | undefined> {
      if (!detectKind) return undefined;
      try {
        const { features, picturePng } = await look(design, made, 'ahead');
        const { fileName, kindHint: hint } = design.origin;
        return features && (await detectKind({ features, picturePng, fileName, hint, signal: never }));
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}

/** Never aborts: the cutout's job does not wait for the model. */
const never = new AbortController().signal;
