/** A WordPress site with its own MariaDB server and PHP's web server, with our plugin linked into it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
/** Where Debian's package installs WordPress. */
const wordpress = '/usr/share/wordpress';
const plugin = fileURLToPath(new URL('../../integrations/wordpress/packshot', import.meta.url));

export const needsWordPress = findLack();

/** Why there can be no site; empty if there can. */
function findLack(): string {
  const lacks = [
    ...(existsSync(join(wordpress, 'wp-load.php')) ? [] : ['wordpress']),
    ...(existsSync('/usr/sbin/mariadbd') ? [] : ['mariadb-server']),
    ...(hasMysqli() ? [] : ['php-cli and php-mysql']),
  ];
  return lacks.length === 0 ? '' : ` (skipped: no ${lacks.join(', no ')})`;
}

function hasMysqli(): boolean {
  try {
    execFileSync('php', ['-r', "exit(function_exists('mysqli_connect') ? 0 : 1);"], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Site {
  readonly url: string;
  readonly uploads: string;
  /** Runs PHP within WordPress, as an administrator, and returns what it printed. */
  php(code: string): Promise<string>;
  stop(): Promise<void>;
}

export const admin = { user: 'admin', password: 'a-password-of-the-tests' } as const;

export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-wordpress-'));
  const socket = join(folder, 'mariadb.sock');
  const children: ChildProcess[] = [];
  const stop = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await startDatabase(folder, socket, children);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const root = join(folder, 'site');
    await cp(wordpress, root, {
      recursive: true,
      dereference: true,
      filter: (path) => !path.endsWith('wp-config.php') && !path.includes('/wp-content/languages'),
    });
    await mkdir(join(root, 'wp-content/uploads'), { recursive: true });
    await mkdir(join(root, 'wp-content/plugins'), { recursive: true });
    await symlink(plugin, join(root, 'wp-content/plugins/packshot'));
    await writeFile(join(root, 'wp-config.php'), configOf(socket, url));
    const site: Site = {
      url,
      uploads: join(root, 'wp-content/uploads'),
      async php(code) {
        const script = join(folder, 'run.php');
        await writeFile(script, `<?php\n$_SERVER['HTTP_HOST'] = '127.0.0.1:${port}';\n${code}\n`);
        const { stdout } = await run('php', ['-d', 'display_errors=stderr', script], { cwd: root });
        return stdout;
      },
      stop,
    };
    await site.php(`define( 'WP_INSTALLING', true );
      require 'wp-load.php';
      require_once ABSPATH . 'wp-admin/includes/upgrade.php';
      wp_install( 'Shop', '${admin.user}', 'shop@example.com', false, '', '${admin.password}' );`);
    // Several workers, because WordPress calls itself for WP-Cron.
    const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', root], {
      env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
      stdio: 'ignore',
    });
    children.push(server);
    await untilAnswers(url);
    return {
      ...site,
      php: (code) =>
        site.php(`require 'wp-load.php'; require_once ABSPATH . 'wp-admin/includes/admin.php';
          wp_set_current_user( 1 ); ${code}`),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(folder: string, socket: string, children: ChildProcess[]): Promise<void> {
  const data = join(folder, 'mariadb');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  await run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    ...user,
  ]);
  const server = spawn(
    '/usr/sbin/mariadbd',
    ['--no-defaults', `--datadir=${data}`, `--socket=${socket}`, '--skip-networking', ...user],
    { stdio: 'ignore' },
  );
  children.push(server);
  for (;;) {
    if (server.exitCode !== null) throw new Error(`mariadbd ended with ${server.exitCode}`);
    const made = run('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '-u',
      'root',
      '-e',
      'CREATE DATABASE IF NOT EXISTS wordpress',
    ]);
    if (
      await made.then(
        () => true,
        () => false,
      )
    )
      return;
    await setTimeout(200);
  }
}

const configOf = (socket: string, url: string) => `<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
define( 'WP_HOME', '${url}' );
define( 'WP_SITEURL', '${url}' );
define( 'AUTH_SALT', 'tests' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1' );
define( 'AUTOMATIC_UPDATER_DISABLED', true );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', true );
define( 'FS_METHOD', 'direct' );
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
require_once ABSPATH . 'wp-settings.php';
`;

async function untilAnswers(url: string): Promise<void> {
  for (;;) {
    const answered = await fetch(`${url}/wp-login.php`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return;
    await setTimeout(200);
  }
}
