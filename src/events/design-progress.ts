/** What happens to a design's pictures, told at once to whoever listens in this process. Nothing of it is kept. */
import { EventEmitter } from 'node:events';

export interface ProgressNews {
  readonly illustrationId: string;
  /** `drawn`: its preview is there; `painted`, `failed`: what came of the illustration engine's work. */
  readonly state: 'drawn' | 'painted' | 'failed';
}

export type DesignProgress = ReturnType<typeof createDesignProgress>;

export function createDesignProgress() {
  const news = new EventEmitter().setMaxListeners(0);
  /** Pictures that are under way, of each design that has any. */
  const expected = new Map<string, number>();

  function add(designId: string, count: number): void {
    const left = (expected.get(designId) ?? 0) + count;
    if (left > 0) expected.set(designId, left);
    else expected.delete(designId);
  }

  return {
    /** A picture is under way; `settle` must follow. */
    expect: (designId: string): void => add(designId, 1),

    /** It is over; undefined where there is nothing to tell of it. */
    settle(designId: string, told: ProgressNews | undefined): void {
      add(designId, -1);
      news.emit(designId, told);
    },

    /** Of what was never expected here: other rooms know by their rows what is under way. */
    tell(designId: string, told: ProgressNews): void {
      news.emit(designId, told);
    },

    isExpecting: (designId: string): boolean => expected.has(designId),

    /** `listener` hears of each settled picture until the function that is returned is called. */
    listen(designId: string, listener: (told: ProgressNews | undefined) => void): () => void {
      news.on(designId, listener);
      return () => void news.off(designId, listener);
    },
  };
}
