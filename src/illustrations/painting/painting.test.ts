import { expect, it } from 'vitest';
import { explainStudio, type Painting } from './painting.ts';

const base = { illustrationId: 'ill_a', keyId: 'key_a', engine: 'fake', engineVersion: 'fake/1' };
const waiting: Painting = { ...base, state: 'waiting', asks: 0, answer: undefined, flaw: undefined };
const failed: Painting = { ...base, state: 'failed', failure: 'the engine refused' };

it.each<[string, Painting | undefined, 'preview' | 'generated', RegExp | undefined]>([
  ['no warning in a preview while the painting is pending', waiting, 'preview', undefined],
  ['a warning in a preview if the painting failed', failed, 'preview', /the engine refused/],
  ['a warning in a full version if the painting is not done', waiting, 'generated', /not done yet/],
  ['a warning in a full version if the painting failed', failed, 'generated', /the engine refused/],
  ['no warning without an engine', undefined, 'generated', undefined],
])('a scene drawn by the studio gets %s', (_, painting, size, words) => {
  const details = explainStudio(painting, size).map(({ detail }) => detail);
  expect(details).toEqual(words ? [expect.stringMatching(words)] : []);
});
