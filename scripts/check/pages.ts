/**
 * Checks that pages for readers stay short, and state what holds: dates belong into CHANGELOG.md and lab/, and figures of
 * memory into docs/figures.json.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Words of a page at most. A page that is not listed has `otherPages`; all of them together have `allPages`. */
const limits: Readonly<Record<string, number>> = {
  'README.md': 650,
  'docs/api.md': 2_850,
  'docs/benchmarks.md': 400,
  'docs/cli.md': 2_400,
  'docs/configuration.md': 2_800,
  'docs/engines.md': 2_300,
  'docs/marketplaces.md': 2_000,
  'docs/operations.md': 1_700,
  'docs/quality.md': 800,
  'docs/reliability.md': 1_450,
  'docs/scaling.md': 2_150,
  'docs/studio.md': 1_400,
};
const otherPages = 1_300;
const allPages = 42_000;

/** Pages whose dates say when a source was read, or when another service ends. */
const datedPages = new Set(['docs/marketplaces.md', 'docs/leaving-remove-bg.md', 'docs/comparison.md']);

/** Pages that show measurements themselves, or are generated from the code's own figures. */
const measuredPages = new Set(['docs/benchmarks.md', 'docs/reliability.md', 'docs/configuration.md']);
const memoryFigure = /^.*(?:\bmemory\b.*?\d (?:GB|MB)\b|\d (?:GB|MB)\b.*?\bmemory\b).*$/m;

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';
const date = new RegExp(`\\b20\\d\\d-\\d\\d-\\d\\d\\b|\\b(?:${months})(?: \\d{1,2},)? 20\\d\\d\\b`);

const problems: string[] = [];
const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'README.md', 'docs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => path.endsWith('.md') && existsSync(`${root}${path}`));

let total = 0;
for (const path of pages) {
  const text = readFileSync(`${root}${path}`, 'utf8');
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  total += words;
  const most = limits[path] ?? otherPages;
  if (words > most) problems.push(`${path}: ${words} words, at most ${most}`);
  // Dates in code are values of examples and names of protocols.
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  const dated = date.exec(prose);
  if (dated && path.startsWith('docs/') && !datedPages.has(path))
    problems.push(`${path}: a date, ${dated[0]}`);
  const bare = memoryFigure.exec(prose.replace(/<!--=\w+-->.*?<!--\/-->/g, ''));
  if (bare && !measuredPages.has(path) && !path.startsWith('docs/decisions/'))
    problems.push(`${path}: a figure that is not from docs/figures.json: ${bare[0].trim()}`);
}
if (total > allPages) problems.push(`README.md and docs/: ${total} words, at most ${allPages}`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
