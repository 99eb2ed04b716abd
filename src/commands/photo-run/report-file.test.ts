import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileOutcome } from './file-outcome.ts';
import { createReportFile } from './report-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fails = {
  marketplace: 'amazon',
  verdict: 'fails',
  summary: 'Amazon: too small.',
  failed: ['fill'],
} as const;

async function write(name: string, outcomes: readonly FileOutcome[]): Promise<string> {
  const path = join(folder, name);
  const report = createReportFile(path);
  for (const outcome of outcomes) report.add(outcome);
  await report.write();
  return readFile(path, 'utf8');
}

const outcomes: readonly FileOutcome[] = [
  { file: 'good.jpg', state: 'done', output: join('/tmp', 'a b#1.png'), facts: { confidence: 0.97 } },
  {
    file: 'doubt.jpg',
    state: 'done',
    output: 'out/doubt.png',
    issues: [{ code: 'x', detail: 'Look here.' }],
  },
  { file: 'small.jpg', state: 'done', output: 'out/small.png', checks: [fails] },
  { file: '<b>.jpg', state: 'failed', error: { code: 'y', detail: 'Damaged & cut off.' } },
];

describe('the report file of a run', () => {
  it('is a page with what is wrong first, names escaped, and paths as URLs seen from the page', async () => {
    const page = await write('run.html', outcomes);
    const at = (text: string) => page.indexOf(text);
    expect(at('&#60;b&#62;.jpg')).toBeGreaterThan(0);
    expect(at('Damaged &#38; cut off.')).toBeLessThan(at('fails: Amazon: too small.'));
    expect(at('fails: Amazon: too small.')).toBeLessThan(at('Look here.'));
    expect(at('Look here.')).toBeLessThan(at('confidence 0.97'));
    expect(page).toContain('../a%20b%231.png');
    expect(page).not.toContain('<b>.jpg');
    expect(page).toContain('2 failed or do not pass a check, 1 to look at, 0 from an earlier run.');
  });

  it('is a table that a spreadsheet opens without running a name as a formula', async () => {
    const text = await write('run.csv', [...outcomes, { file: '=1+1.jpg', state: 'done' }]);
    const { data } = Papa.parse<Record<string, string>>(text.trim(), { header: true });
    expect(data[1]).toMatchObject({ file: 'small.jpg', state: 'done', checks: 'amazon fails fill' });
    expect(data.at(-1)!.file).toBe("'=1+1.jpg");
  });

  it('keeps each row of a list with one photo, and forgets the failure of a photo that was mended', async () => {
    const path = join(folder, 'rows.csv');
    const report = createReportFile(path);
    for (const file of ['a.jpg', 'a.jpg']) report.add({ file, state: 'done', output: 'out.zip' });
    report.add({ file: 'b.jpg', state: 'failed', error: { code: 'y', detail: 'Busy.' } });
    report.forgetFailure('b.jpg');
    await report.write();
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(3);
  });
});
