/**
 * Builds the image of the Dockerfile with buildah, without a container registry: the base images are assembled from
 * Debian packages and from the Node and npm of this machine.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../', import.meta.url));
const debian = 'docker.io/library/debian:bookworm-slim';
const node = 'docker.io/library/node:24-bookworm-slim';

export interface Image {
  readonly bytes: number;
  /** User and group that the Dockerfile sets: `10001:10001`. */
  readonly user: string;
  readonly env: readonly string[];
  readonly command: readonly string[];
  /** Mounts the file system of a new container. */
  mount(): Promise<string>;
  /** Unmounts everything, so that the folder can be removed. */
  release(): Promise<void>;
}

/** Says why no image can be built here; undefined if one can. */
export async function findMissingTools(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'needs root, for mounts and other users';
  for (const tool of ['buildah', 'debootstrap', 'unshare']) {
    const found = await run('sh', ['-c', `command -v ${tool}`]).catch(() => undefined);
    if (!found) return `${tool} is not installed (apt-get install buildah debootstrap)`;
  }
  return undefined;
}

/** Builds the image in `folder`, which takes minutes and 1 to 2 GB of disk space. */
export async function buildImage(folder: string): Promise<Image> {
  const stores = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')];
  const env = { ...process.env, STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };
  const buildah = async (...input: string[]): Promise<string> => {
    const { stdout } = await run('buildah', [...stores, ...input], { env, cwd: project, maxBuffer: 1e8 });
    return stdout.trim();
  };
  const commit = async (from: string, name: string, fill: (root: string) => Promise<void>) => {
    const container = await buildah('from', '--pull-never', from);
    await fill(await buildah('mount', container));
    await buildah('umount', container);
    await buildah('commit', '--quiet', container, name);
    await buildah('rm', container);
  };
  await commit('scratch', debian, async (root) => {
    await run('debootstrap', ['--variant=minbase', 'bookworm', root], { maxBuffer: 1e8 });
    // Docker's own slim image omits these, too.
    for (const path of [
      'var/cache/apt',
      'var/lib/apt/lists',
      'usr/share/doc',
      'usr/share/man',
      'usr/share/locale',
    ]) {
      await rm(join(root, path), { recursive: true, force: true });
      await mkdir(join(root, path), { recursive: true });
    }
  });
  await commit(debian, node, async (root) => {
    await cp(process.execPath, join(root, 'usr/local/bin/node'));
    const { stdout } = await run('sh', ['-c', 'readlink -f "$(command -v npm)"']);
    // Two levels up from bin/npm-cli.js is npm's package folder.
    const npm = dirname(dirname(stdout.trim()));
    await cp(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
  });
  const volumes = await prepareNpm(folder);
  await buildah('bud', '--pull-never', '--isolation', 'chroot', ...volumes, '--tag', 'packshot', '.');
  const images = JSON.parse(await buildah('images', '--json', 'packshot'));
  const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', 'packshot'));
  const { User, Env, Entrypoint, Cmd } = OCIv1.config;
  return {
    bytes: await measureImage(buildah, images[0].id),
    user: User,
    env: Env,
    command: [...Entrypoint, ...Cmd],
    mount: async () => buildah('mount', await buildah('from', '--pull-never', 'packshot')),
    release: async () => {
      await buildah('umount', '--all');
      await run('umount', [join(folder, 'images/overlay')]).catch(() => undefined);
    },
  };
}

/** The image's unpacked size in bytes; `buildah images` would round it. */
async function measureImage(buildah: (...input: string[]) => Promise<string>, id: string): Promise<number> {
  const root = await buildah('mount', await buildah('from', '--pull-never', id));
  const { stdout } = await run('du', ['--summarize', '--apparent-size', '--block-size=1', root]);
  return Number(stdout.split('\t')[0]);
}

/** Passes this machine's certificates and npm's settings for the package registry on to the build. */
async function prepareNpm(folder: string): Promise<string[]> {
  const settings = await run('npm', ['config', 'get', 'registry']);
  const lines = [`registry=${settings.stdout.trim()}`, 'omit-lockfile-registry-resolved=true'];
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) lines.push(`cafile=${certificates}`);
  const file = join(folder, 'npmrc');
  await writeFile(file, `${lines.join('\n')}\n`);
  return [
    ...['--volume', `${file}:/root/.npmrc:ro`],
    ...(certificates ? ['--volume', `${certificates}:${certificates}:ro`] : []),
  ];
}
