import { describe, expect, it } from 'vitest';
import { prioritiesOf, rankOf, takeTurns } from './fair-turns.ts';

const empty = { next: undefined, lowest: undefined, own: undefined };

describe('a job’s turn', () => {
  it('follows its account’s last job; without one, it equals the next job’s turn; in an empty queue, it is 0', () => {
    for (const rank of [-1, 0, 2]) {
      const { highest } = prioritiesOf(rank);
      expect(takeTurns(rank, 3, empty)).toEqual([highest, highest - 1, highest - 2]);
      const line = { next: highest, lowest: highest - 2, own: highest - 2 };
      expect(takeTurns(rank, 1, line)).toEqual([highest - 3]);
      expect(takeTurns(rank, 1, { ...line, own: undefined })).toEqual([highest]);
    }
  });

  it('is never before the turn of the waiting job that will run next, however long the account was idle', () => {
    expect(takeTurns(0, 1, { next: -500, lowest: -900, own: undefined })).toEqual([-500]);
    expect(takeTurns(0, 1, { next: -500, lowest: -900, own: -20 })).toEqual([-500]);
    expect(takeTurns(0, 1, { next: undefined, lowest: -900, own: undefined })).toEqual([-900]);
  });

  it('never leaves its rank', () => {
    const { lowest } = prioritiesOf(1);
    expect(takeTurns(1, 2, { next: lowest, lowest, own: lowest })).toEqual([lowest, lowest]);
    for (const rank of [-1, 0, 1, 2]) {
      const { highest, lowest } = prioritiesOf(rank);
      expect([highest, highest - 1, lowest].map(rankOf)).toEqual([rank, rank, rank]);
    }
  });
});
