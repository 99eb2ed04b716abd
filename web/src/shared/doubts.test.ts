import { expect, it } from 'vitest';
import { doubtsOf } from './doubts.ts';

it('does not count a small product as a doubt about the outline', () => {
  const issue = (code: 'small_subject' | 'several_parts') => ({ code, detail: code });
  const subject = {
    boundingBox: { x: 0, y: 0, width: 9, height: 9 },
    coverage: 0.5,
    touchesEdges: [],
    confidence: 1,
    doubtful: [],
    issues: [issue('small_subject'), issue('several_parts')],
  };
  expect(doubtsOf({ subject })).toEqual([issue('several_parts')]);
  expect(doubtsOf({ subject: null })).toEqual([]);
});
