/** Draws what callers are likely to ask for next, one picture at a time and only while nobody waits for another. */
import PQueue from 'p-queue';
import type { RenderTargetName } from '../rendering/render-target.ts';
import type { SceneIllustration } from './illustration.ts';
import type { ScenePlates, StandingProduct } from './scene-plates.ts';

/** What is beyond it was asked for so long ago that drawing on request is as good. */
const MAX_WAITING = 64;

export function createAheadDrawer({
  plates,
  untilIdle,
  isKept,
  onBegin,
  onEnd,
  onError,
}: {
  readonly plates: ScenePlates;
  /** Resolves while there is nothing else to do; what is drawn then starts at once, so that whoever asks for it meanwhile may join. */
  readonly untilIdle: (signal: AbortSignal) => Promise<void>;
  /** False once its design was erased. */
  readonly isKept: (illustrationId: string) => Promise<boolean>;
  /** Hears of each picture that is to be drawn, and of its end: whether it is there. */
  readonly onBegin?: (illustration: SceneIllustration) => void;
  readonly onEnd?: (illustration: SceneIllustration, drawn: boolean) => void;
  readonly onError: (error: unknown) => void;
}) {
  const line = new PQueue({ concurrency: 1 });
  const closing = new AbortController();

  async function draw(illustration: SceneIllustration, product: StandingProduct, size: RenderTargetName) {
    if (closing.signal.aborted) return;
    await untilIdle(closing.signal);
    if (!(await isKept(illustration.id))) return;
    await plates.groundedPlate(illustration, product, size, 'ahead', closing.signal);
  }

  return {
    /** Grounded plates, in the order given. Returns at once; what fails is drawn again when it is asked for. */
    drawAhead(
      illustrations: readonly SceneIllustration[],
      product: StandingProduct,
      size: RenderTargetName,
    ): void {
      for (const illustration of illustrations) {
        if (line.size >= MAX_WAITING) return;
        onBegin?.(illustration);
        line
          .add(() => draw(illustration, product, size))
          .then(
            () => onEnd?.(illustration, true),
            (error) => {
              onEnd?.(illustration, false);
              if (!closing.signal.aborted) onError(error);
            },
          );
      }
    },

    async close(): Promise<void> {
      line.clear();
      closing.abort(new DOMException('The service is stopping.', 'AbortError'));
      await line.onIdle();
    },
  };
}

export type AheadDrawer = ReturnType<typeof createAheadDrawer>;
