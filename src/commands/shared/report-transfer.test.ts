import { expect, it } from 'vitest';
import { createTransferReport, showBytes, showNumberOf } from './report-transfer.ts';

function open(isTTY: boolean) {
  const written: string[] = [];
  const time = { now: 0 };
  const words = { isTTY, write: (text: string) => written.push(text) > 0 };
  return { written, time, report: createTransferReport(words, () => time.now) };
}

it('on a terminal, a transfer’s progress line is updated at most ten times per second', () => {
  const { written, time, report } = open(true);
  report.onProgress('designs', 500);
  report.onProgress('designs', 1_000);
  time.now = 100;
  report.onProgress('blobs', 1_234_567);
  report.say('done', 'all of it');
  expect(written).toEqual(['\r\x1b[Kdesigns  500', '\r\x1b[Kblobs  1,234,567', '\r\x1b[Kdone\nall of it\n']);
});

it('without a terminal, a transfer prints no progress, only messages', () => {
  const { written, report } = open(false);
  report.onProgress('designs', 500);
  report.say('done');
  expect(written).toEqual(['done\n']);
});

it('numbers are formatted for people', () => {
  expect([0, 999, 1_000, 25_400_000, 7.2e15].map(showBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '25.4 MB',
    '7200.0 TB',
  ]);
  expect([showNumberOf(1, 'row'), showNumberOf(1_204, 'row')]).toEqual(['1 row', '1,204 rows']);
});
