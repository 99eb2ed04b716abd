/** Debian's nginx, with the configuration that a page of the documentation shows. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Why there can be no nginx; empty if there can. */
export const needsNginx =
  spawnSync('nginx', ['-v']).status === 0 ? '' : ' (skipped: nginx-light is not installed)';

/** The blocks of code of a language on a page, with the indentation of lists removed. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, indent = '', named, code = '']) =>
      named === language ? [code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')] : [],
  );
}

export interface Nginx {
  stop(): Promise<void>;
}

/** `http`: what stands in the `http` block. Resolves when nginx accepts connections on the port. */
export async function startNginx(
  folder: string,
  http: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Nginx> {
  await mkdir(join(folder, 'temp'), { recursive: true });
  const temps = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; ${user} pid nginx.pid; error_log error.log; events {} http { access_log off; ${temps.join(' ')}\n${http}\n}`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'ignore' });
  await untilOpen(child, host, port, () => readFileSync(join(folder, 'error.log'), 'utf8'));
  return {
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilOpen(child: ChildProcess, host: string, port: number, log: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${log()}`);
    const socket = connect(port, host);
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await setTimeout(50);
  }
}
