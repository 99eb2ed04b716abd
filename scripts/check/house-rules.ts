/**
 * Checks readability rules: functions and files are not too long, and comments and pages refer only to files that
 * exist.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * A factory may be longer, since its closures share its state; each closure is checked separately. A factory
 * is recognized by its name, or by returning methods.
 */
const factory = /^(create|open|build|wire)[A-Z]/;
const MOST_LINES_OF_A_FUNCTION = 70;

/** At least nine of ten files below src/ must have at most this many lines. */
const MOST_LINES_OF_NINE_TENTHS = 200;

/** Paths in prose that look like our files, but are the user's files or the output of a command. */
const notOurs = /^(src\/x|models\/NAME)/;

const problems: string[] = [];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isTest = (path: string) => /\.(test|contract)\.tsx?$|\/testing\//.test(path);

const sources = tracked.filter((path) => /^(src|scripts|evals|bench|rig)\/.*\.ts$/.test(path));
for (const path of sources.filter((each) => !isTest(each))) checkFunctions(path, read(path).split('\n'));

const rooms = new Set(
  sources
    .filter((path) => path.startsWith('src/'))
    .flatMap((path) => /^src\/([\w-]+)\//.exec(path)?.[1] ?? []),
);

const lengths = sources
  .filter((path) => path.startsWith('src/') && !isTest(path))
  .map((path) => read(path).split('\n').length - 1)
  .sort((a, b) => a - b);
const p90 = lengths[Math.ceil(lengths.length * 0.9) - 1] ?? 0;
if (p90 > MOST_LINES_OF_NINE_TENTHS)
  problems.push(
    `nine of ten files below src/ have up to ${p90} lines, not ${MOST_LINES_OF_NINE_TENTHS}: split what has two purposes, or shorten it`,
  );

for (const path of tracked.filter(
  (each) => /^[A-Z]+\.md$|^docs\/.*\.md$/.test(each) || sources.includes(each),
))
  checkReferences(path, read(path));

for (const problem of problems) console.error(problem);
console.log(
  `${lengths.length} files below src/, nine of ten with at most ${p90} lines; ${problems.length} problems`,
);
if (problems.length > 0) process.exitCode = 1;

/**
 * Reports functions that are too long. Finds the end of a function by indentation: the formatter indents the last line
 * of a function like the first.
 */
function checkFunctions(path: string, lines: readonly string[]): void {
  for (const [at, line] of lines.entries()) {
    const name = nameOfFunction(lines, at);
    if (name === undefined || factory.test(name)) continue;
    const indent = line.search(/\S/);
    const rest = lines.slice(at + 1);
    const length = rest.findIndex((each) => each.search(/\S/) === indent && /^\s*\}/.test(each)) + 2;
    if (returnsClosures(rest.slice(0, length), indent)) continue;
    if (length > MOST_LINES_OF_A_FUNCTION)
      problems.push(`${path}:${at + 1}: ${name} has ${length} lines, more than ${MOST_LINES_OF_A_FUNCTION}`);
  }
}

/** Whether a returned object has methods. */
function returnsClosures(body: readonly string[], indent: number): boolean {
  const from = body.indexOf(`${' '.repeat(indent + 2)}return {`);
  const method = new RegExp(`^ {${indent + 4}}(async )?\\w+(<.*>)?\\(.*\\{$`);
  return from >= 0 && body.slice(from).some((line) => method.test(line));
}

/** The name of the function that starts on this line; undefined if none does. */
function nameOfFunction(lines: readonly string[], at: number): string | undefined {
  const line = lines[at]!;
  const named =
    /^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line) ??
    /^\s*(?:export )?const (\w+) = (?:async )?(?:\(|<|\w+ =>)/.exec(line) ??
    /^\s+(?:async )?(?!if|for|while|switch|catch|return|function)(\w+)\((?:.*\{)?$/.exec(line);
  if (!named) return undefined;
  // The parameters may span several lines. A call looks the same, but has no body.
  const indent = line.search(/\S/);
  for (let i = at; i < lines.length; i++) {
    if (
      i > at &&
      lines[i]!.search(/\S/) <= indent &&
      lines[i]!.trim() !== '' &&
      !/^\s*\).*\{$/.test(lines[i]!)
    )
      return undefined;
    if (/(\)|>|\w)\s*(=> )?\{$/.test(lines[i]!) && lines[i]!.search(/\S/) === indent) return named[1];
  }
  return undefined;
}

/** Reports paths and names of pages that comments and prose mention although they do not exist. */
function checkReferences(path: string, text: string): void {
  // check/links handles links; strings and imports are not references.
  const prose = path.endsWith('.md') ? text.replace(/\]\([^)]*\)/g, '') : commentsOf(text);
  const named = [
    ...prose.matchAll(
      /(?<![\w./-])((?:src|test|scripts|docs|evals|bench|rig|wasm|deploy|clients)\/[\w./-]+\.\w+)/g,
    ),
    ...prose.matchAll(/(?<![\w./-])([A-Z_]+\.md)\b/g),
  ].map(([, name = '']) => name.replace(/\.$/, ''));
  for (const name of new Set(named)) {
    const places = [name, join(dirname(path), name)];
    if (!notOurs.test(name) && !places.some((place) => existsSync(join(root, place))))
      problems.push(`${path}: there is no ${name}`);
  }
  for (const name of roomsNamedIn(path, prose)) {
    const place = `src/${name.replace(/\.ts$/, '')}`;
    const exists = ['', '.ts', '.js'].some((end) => existsSync(join(root, place + end)));
    if (!exists) problems.push(`${path}: there is no ${place}.ts and no folder ${place}`);
  }
}

/** `room/file` in backquotes, as used in comments and documents for contributors. */
function roomsNamedIn(path: string, prose: string): string[] {
  if (path.startsWith('docs/') && !path.startsWith('docs/decisions/')) return [];
  return [...prose.matchAll(/`([a-z-]+)\/([\w./-]*[\w])`/g)].flatMap(([, room = '', rest]) =>
    rooms.has(room) ? [`${room}/${rest}`] : [],
  );
}

function commentsOf(text: string): string {
  return [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm)].map(([comment]) => comment).join('\n');
}
