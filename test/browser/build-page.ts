/**
 * Builds the Studio page before the browser tests, so that they test the current sources rather than an old
 * build.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

export default async function buildPage(): Promise<void> {
  await promisify(execFile)(join(root, 'node_modules/.bin/vite'), ['build', 'web'], { cwd: root });
}
