import { expect, it } from 'vitest';
import { explainStudio, type Painting } from './painting.ts';

const base = { illustrationId: 'ill_a', keyId: 'key_a', engine: 'fake', engineVersion: 'fake/1' };
const waiting: Painting = { ...base, state: 'waiting', asks: 0, answer: undefined, flaw: undefined };
const failed: Painting = { ...base, state: 'failed', failure: 'the engine refused' };

it.each<[string, Painting | undefined, 'preview' | 'generated', RegExp | undefined]>([
  ['not explained in a preview while the painting is pending', waiting, 'preview', undefined],
  ['explained in a preview that will not change', failed, 'preview', /the engine refused/],
  ['explained in a full version that could not wait', waiting, 'generated', /not done yet/],
  ['explained in a full version without a painting', failed, 'generated', /the engine refused/],
  ['not explained without an engine', undefined, 'generated', undefined],
])('the studio’s picture is %s', (_, painting, size, words) => {
  const details = explainStudio(painting, size).map(({ detail }) => detail);
  expect(details).toEqual(words ? [expect.stringMatching(words)] : []);
});
