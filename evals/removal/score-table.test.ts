import { describe, expect, it } from 'vitest';
import { describeEvaluation, type Row } from './score-table.ts';

const makeRow = (remover: string, id: string, iou: number, confidence: number | null): Row => ({
  remover,
  id,
  product: id,
  group: 'rendered',
  tags: ['glass'],
  score: { mae: 0.01, iou, bf2: 0.9, bf5: 0.95, edge: 0.05, halo: 8, fgerr: 4, comp: 0.5 },
  rim: { pixels: 300, outliers: 3 },
  confidence,
  issues: [],
});

describe('the table of an evaluation', () => {
  const table = describeEvaluation([
    makeRow('ours', 'vase', 0.7, 0.2),
    makeRow('ours', 'helmet', 0.6, 0.9),
    makeRow('ours', 'mug', 0.99, 0.95),
    makeRow('peer', 'vase', 0.5, null),
    makeRow('peer', 'helmet', 0.5, null),
    makeRow('peer', 'mug', 0.98, null),
  ]);

  it('has one line per remover, with mean scores and failures', () => {
    expect(table).toContain(
      '| ours | 0.0100 | 0.7633 | 0.900 | 0.950 | 0.0500 | 8.00 | 4.00 | 0.500 | 2 of 3 | 1.00 % |',
    );
    expect(table).toContain('| glass (3) | 0.900 / 8.00 | 0.900 / 8.00 |');
  });

  it('lists the flagged cutouts, and the failures that are not flagged, for removers that report a confidence', () => {
    expect(table).toContain('1 of 3 cutouts are flagged');
    expect(table).toContain('Flagged: vase.');
    expect(table).toContain('Failed but not flagged: helmet.');
  });
});
