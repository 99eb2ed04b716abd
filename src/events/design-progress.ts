/** Publishes the progress of a design's pictures to listeners in all processes. Nothing is stored. */
import type { Notices } from '../storage/notices.ts';

export interface ProgressNews {
  readonly illustrationId: string;
  /** `drawn`: the preview is ready; `painted`, `failed`: outcome of the illustration engine. */
  readonly state: 'drawn' | 'painted' | 'failed';
}

const progressTopic = 'progress';

export type DesignProgress = ReturnType<typeof createDesignProgress>;

export function createDesignProgress(notices: Notices) {
  return {
    /** Signals that some work on the design has ended; `news` is omitted if there are no details. */
    tell: (designId: string, news?: ProgressNews): void => notices.tell(progressTopic, designId, news),

    /**
     * Calls `listener` after each piece of work until the returned function is called. If `told` is undefined, the
     * listener must look at the design itself: there are no details, or notices may have been missed.
     */
    listen(designId: string, listener: (told: ProgressNews | undefined) => void): () => void {
      return notices.listen(progressTopic, (told, news) => {
        if (told === undefined || told === designId) listener(news as ProgressNews | undefined);
      });
    },
  };
}
