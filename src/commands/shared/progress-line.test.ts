import { expect, it } from 'vitest';
import { createProgressLine } from './progress-line.ts';

function open(isTTY: boolean) {
  const written: string[] = [];
  const time = { now: 0 };
  const words = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, time, line: createProgressLine(words, { clock: () => time.now }) };
}

it('on a terminal, a progress line is updated at most ten times per second', () => {
  const { written, time, line } = open(true);
  line.draw('designs  500');
  line.draw('designs  1,000');
  time.now = 100;
  line.draw('blobs  7');
  line.say('done', 'all of it');
  expect(written).toEqual(['\r\x1b[Kdesigns  500', '\r\x1b[Kblobs  7', '\r\x1b[Kdone\nall of it\n']);
});

it('without a terminal, there is no progress line, only messages', () => {
  const { written, line } = open(false);
  line.draw('designs  500');
  line.say('done');
  expect(written).toEqual(['done\n']);
});
