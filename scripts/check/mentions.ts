/** Checks that comments and pages mention only files that exist. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

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

const sources = tracked.filter((path) => /^(src|packages|scripts|evals|bench|rig)\/.*\.ts$/.test(path));
const rooms = new Set(sources.flatMap((path) => /^(?:src|packages)\/([\w-]+)\//.exec(path)?.[1] ?? []));

const pages = tracked.filter((path) => /^[A-Z]+\.md$|^docs\/.*\.md$/.test(path));
for (const path of [...pages, ...sources]) checkMentions(path, read(path));

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** Reports paths and names of pages that comments and prose mention although they do not exist. */
function checkMentions(path: string, text: string): void {
  // Links have a check of their own; strings and imports are not mentions.
  const prose = path.endsWith('.md') ? text.replace(/\]\([^)]*\)/g, '') : commentsOf(text);
  const named = [
    ...prose.matchAll(
      /(?<![\w./-])((?:src|packages|test|scripts|docs|evals|bench|rig|wasm|deploy|clients)\/[\w./-]+\.\w+)/g,
    ),
    ...prose.matchAll(/(?<![\w./-])([A-Z_]+\.md)\b/g),
  ].map(([, name = '']) => name.replace(/\.$/, ''));
  for (const name of new Set(named)) {
    const places = [name, join(dirname(path), name)];
    if (!notOurs.test(name) && !places.some((place) => existsSync(join(root, place))))
      problems.push(`${path}: there is no ${name}`);
  }
  for (const name of roomsNamedIn(path, prose)) {
    const [room = '', ...rest] = name.replace(/\.ts$/, '').split('/');
    const places = [`src/${room}`, `packages/${room}/src`, `packages/${room}`].map((home) =>
      join(home, ...rest),
    );
    const exists = places.some((place) =>
      ['', '.ts', '.js'].some((end) => existsSync(join(root, place + end))),
    );
    if (!exists) problems.push(`${path}: there is no ${places[0]}.ts and no folder of this name`);
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
