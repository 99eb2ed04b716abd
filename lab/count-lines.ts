/**
 * `node lab/count-lines.ts`: lines of source per room, without tests, contracts, `testing/` folders and generated
 * types; files as git lists them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const isSource = (path: string): boolean =>
  /^(src|web|clients\/typescript\/src|packages)\/.*\.(ts|tsx|js|mjs|css)$/.test(path) &&
  !/\.(test|contract)\.tsx?$|(^|\/)(testing|test)\/|api-types\.ts$/.test(path);
const files = execFileSync('git', ['ls-files'], { cwd: fileURLToPath(root), encoding: 'utf8' }).split('\n');

const rooms = new Map<string, number>();
for (const path of files.filter(isSource)) {
  const [top = '', second = '', ...more] = path.split('/');
  const room = top === 'web' || (top === 'src' && more.length === 0) ? top : `${top}/${second}`;
  rooms.set(room, (rooms.get(room) ?? 0) + readFileSync(new URL(path, root), 'utf8').split('\n').length - 1);
}
for (const [room, lines] of [...rooms].sort(([, a], [, b]) => b - a))
  console.log(`${String(lines).padStart(7)} ${room}`);
console.log(`${String([...rooms.values()].reduce((sum, lines) => sum + lines, 0)).padStart(7)} in all`);
