/** `--report FILE`: what became of each photo, as a page for a person (.html) or a table for a program (.csv). */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import Papa from 'papaparse';
import { invalid } from '../shared/refuse.ts';
import type { FileOutcome } from './file-outcome.ts';

export interface ReportFileOptions {
  readonly report?: string;
}

export function addReportOption(command: Command): Command {
  return command.option(
    '--report <file>',
    'write the outcome of each photo to a page (.html: pictures, what to check, verdicts) or a table (.csv)',
    (path) => {
      if (!/\.(html|csv)$/i.test(path)) throw invalid('--report needs a name that ends in .html or .csv.');
      if (!existsSync(dirname(resolve(path))))
        throw invalid(`--report: there is no folder ${dirname(path)}.`);
      return path;
    },
  );
}

/** Collects outcomes. `write` replaces the file; without a path, nothing is written. */
export function createReportFile(path: string | undefined) {
  let outcomes: FileOutcome[] = [];
  return {
    add(outcome: FileOutcome): void {
      outcomes.push(outcome);
    },
    /** A good photo has replaced one that failed. */
    forgetFailure(file: string): void {
      outcomes = outcomes.filter((one) => one.file !== file || one.state !== 'failed');
    },
    async write(): Promise<void> {
      if (path === undefined) return;
      const rows = outcomes.toSorted((a, b) => rankOf(a) - rankOf(b));
      await writeFile(path, /\.csv$/i.test(path) ? toCsv(rows) : toPage(rows, dirname(resolve(path))));
    },
  };
}

const isWrong = ({ checks = [] }: FileOutcome) => checks.some(({ verdict }) => verdict !== 'passes');
/** What a person must look at comes first. */
const rankOf = (outcome: FileOutcome): number =>
  outcome.state === 'failed' ? 0 : isWrong(outcome) ? 1 : outcome.issues?.length ? 2 : 3;
const confidenceOf = ({ facts }: FileOutcome): number | undefined =>
  (facts as { readonly confidence?: number } | undefined)?.confidence;
const detailsOf = ({ error, issues = [] }: FileOutcome): string[] => [
  ...(error ? [error.detail] : []),
  ...issues.map(({ detail }) => detail),
];

function toCsv(outcomes: readonly FileOutcome[]): string {
  const rows = outcomes.map((outcome) => ({
    file: outcome.file,
    state: outcome.state,
    output: outcome.output ?? '',
    confidence: confidenceOf(outcome) ?? '',
    notes: detailsOf(outcome).join(' '),
    checks: (outcome.checks ?? [])
      .map(({ marketplace, verdict, failed }) => [marketplace, verdict, ...failed].join(' '))
      .join('; '),
  }));
  // A file name may begin with `=`, which a spreadsheet would run.
  return `${Papa.unparse(rows, { escapeFormulae: true, newline: '\n' })}\n`;
}

function toPage(outcomes: readonly FileOutcome[], folder: string): string {
  const count = (rank: (value: number) => boolean) => outcomes.filter((one) => rank(rankOf(one))).length;
  const skipped = outcomes.filter(({ state }) => state === 'skipped').length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Packshot: ${outcomes.length} pictures</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
  body { margin: 1.5rem; }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem; padding: 0; list-style: none; }
  li { border: 1px solid #8886; border-radius: 8px; padding: .75rem; overflow-wrap: anywhere; }
  li.wrong { border-color: #c33; }
  li.look { border-color: #b80; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; }
  img { width: 100%; height: 11rem; object-fit: contain; background: repeating-conic-gradient(#bbb 0 25%, #eee 0 50%) 0 0 / 16px 16px; }
  p { margin: .4rem 0 0; }
</style>
<h1>${outcomes.length} pictures</h1>
<p>${count((rank) => rank < 2)} failed or do not pass a check, ${count((rank) => rank === 2)} to look at, ${skipped} from an earlier run.</p>
<ul>
${outcomes.map((outcome) => card(outcome, folder)).join('\n')}
</ul>
</html>
`;
}

function card(outcome: FileOutcome, folder: string): string {
  const { file, state, output, checks = [] } = outcome;
  const confidence = confidenceOf(outcome);
  const kind = ['wrong', 'wrong', 'look', 'good'][rankOf(outcome)];
  const shown = output && !/\.zip$/i.test(output) ? output : undefined;
  const lines = [
    `<b>${escapeHtml(file)}</b>${state === 'done' ? '' : ` · ${state}`}${confidence === undefined ? '' : ` · confidence ${confidence.toFixed(2)}`}`,
    ...detailsOf(outcome).map(escapeHtml),
    ...checks.map(({ verdict, summary }) => escapeHtml(`${verdict}: ${summary}`)),
  ];
  return `<li class="${kind}"><div class="pair">${[file, shown].map((path) => picture(path, folder)).join('')}</div>${lines.map((line) => `<p>${line}</p>`).join('')}</li>`;
}

function picture(path: string | undefined, folder: string): string {
  if (path === undefined || path === '-') return '';
  const url = /^https?:/i.test(path) ? path : toUrl(relative(folder, resolve(path)));
  return `<a href="${escapeHtml(url)}"><img loading="lazy" alt="${escapeHtml(path)}" src="${escapeHtml(url)}"></a>`;
}

/** On Windows, the path to another drive is absolute. */
const toUrl = (path: string): string =>
  isAbsolute(path) ? pathToFileURL(path).href : path.split(sep).map(encodeURIComponent).join('/');

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
