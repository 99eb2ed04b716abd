/** Checks the Dockerfile's image: its size, and the service in it with a read-only root and as a different user. */
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImage, findMissingTools, type Image } from './container-image.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { type OwnService, stopService, unhurried, untilReady, white } from './service.ts';

const mostBytes = 450e6;
/** An arbitrary user, as in Kubernetes and rootless engines. */
const foreignUser = '4242:4242';

export async function checkContainer(run: Run): Promise<void> {
  const missing = await findMissingTools();
  if (missing) return run.skip('all of it', missing);
  if (!run.full) return run.skip('all of it', 'building an image takes minutes; --full builds it');
  const image = await buildImage(await run.newFolder());
  const megabytes = `${Math.round(image.bytes / 1e6)} MB`;
  run.bar('size of the image', `<= ${mostBytes / 1e6} MB`, megabytes, image.bytes <= mostBytes);
  run.bar('user of the image', 'a number other than 0', image.user, /^[1-9]\d*:[1-9]\d*$/.test(image.user));
  try {
    for (const user of [image.user, foreignUser]) await tryUser(run, image, user);
  } finally {
    await image.release();
  }
}

async function tryUser(run: Run, image: Image, user: string): Promise<void> {
  const volume = await run.newFolder();
  const [uid, gid] = user.split(':').map(Number);
  await chown(volume, uid!, gid!);
  const photo = await makePhoto({ width: 1200, height: 900 });
  const first = await startIn(run, image, user, volume);
  await untilReady(first);
  run.bar(`ready on a read-only root as ${user}`, 'yes', `after ${Math.round(first.startMs)} ms`, true);
  const id = await first.upload(photo);
  const render = async (service: OwnService) => {
    const answer = await service.call('/v1/design/generated.jpeg', { json: { id, ...white } });
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const before = await render(first);
  run.bar('upload and full version', '200', before.status, before.status === 200);
  const code = await stopService(first, 'SIGTERM');
  run.bar('exit code after SIGTERM', '0', String(code), code === 0);
  const { uid: owner } = await stat(join(volume, 'packshot.db'));
  run.bar('owner of the files that it wrote', String(uid), owner, owner === uid);
  // An upgrade starts a container of a newer image on the same volume.
  const second = await startIn(run, image, user, volume);
  await untilReady(second);
  const after = await render(second);
  const same = after.status === 200 && after.bytes.equals(before.bytes);
  run.bar('the design in a new container on the old volume', 'the same picture', String(same), same);
  await stopService(second, 'SIGTERM');
}

/** Starts a container without a container engine: the image's files, read-only, in a separate mount namespace. */
async function startIn(run: Run, image: Image, user: string, volume: string): Promise<OwnService> {
  const root = await image.mount();
  const script = join(await run.newFolder(), 'enter.sh');
  // The service's command line is appended as arguments, which the script ignores.
  await writeFile(
    script,
    `set -e
mount --bind ${root} ${root}
mount -o remount,bind,ro ${root}
mount --bind ${volume} ${root}/data
mount -t tmpfs tmpfs ${root}/tmp
mount -t proc proc ${root}/proc
mount --rbind /dev ${root}/dev
exec chroot --userspec=${user} ${root} /usr/bin/env --chdir=/app -i ${image.env.join(' ')} \\
  HOST=127.0.0.1 PORT=0 REMOVAL_ENGINE=isnet BOOTSTRAP_API_KEY="$BOOTSTRAP_API_KEY" \\
  PREVIEW_DEADLINE_MS="$PREVIEW_DEADLINE_MS" FULL_DEADLINE_MS="$FULL_DEADLINE_MS" ${image.command.join(' ')}
`,
  );
  return run.startOwn(unhurried, { dataDir: volume, through: ['unshare', '--mount', 'sh', script] });
}
