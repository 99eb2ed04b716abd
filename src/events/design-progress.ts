/** What happens to a design's pictures, told at once to whoever listens, in whichever process. Nothing of it is kept. */
import type { Notices } from '../storage/notices.ts';

export interface ProgressNews {
  readonly illustrationId: string;
  /** `drawn`: its preview is there; `painted`, `failed`: what came of the illustration engine's work. */
  readonly state: 'drawn' | 'painted' | 'failed';
}

const progressTopic = 'progress';

export type DesignProgress = ReturnType<typeof createDesignProgress>;

export function createDesignProgress(notices: Notices) {
  return {
    /** Something of the design is over; without news where there is nothing to tell of it. */
    tell: (designId: string, news?: ProgressNews): void => notices.tell(progressTopic, designId, news),

    /** `listener` hears of each settled picture until the function that is returned is called. */
    listen(designId: string, listener: (told: ProgressNews | undefined) => void): () => void {
      return notices.listen(progressTopic, (told, news) => {
        if (told === undefined || told === designId) listener(news as ProgressNews | undefined);
      });
    },
  };
}
