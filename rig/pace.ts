/**
 * Clients in curl, Python and Node, as readers of the API guide would write them, upload a photo and immediately
 * request its preview. Even on one core that the service shares with two busy processes, no client may get a 504 or
 * any other error.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Tally } from './answers.ts';
import { makePhoto } from './photos.ts';
import type { Run } from './run.ts';
import { type OwnService, untilReady, white } from './service.ts';

const run = promisify(execFile);

/** Pins every process of the check to this core. */
const pinned = ['taskset', '-c', '0'] as const;
const busyProcesses = 2;
/** The full run uses the default engine, which is too slow for the short run. */
const fullEngine = { REMOVAL_ENGINE: 'isnet', REMOVAL_QUALITY: 'quality' };
/** Timeout in ms: a hung call fails the check instead of blocking it. */
const patienceMs = 120_000;

/**
 * Each client prints the status of its preview call. If the upload fails, Python and Node print the status of the
 * upload instead; curl sends the preview call nevertheless, which then fails, too. Arguments: URL, key, photo, recipe
 * (the fields of the preview call's body except the id).
 */
const clients = {
  curl: [
    'sh',
    '-c',
    `id=$(curl -sS -H "X-Api-Key: $2" -F "file=@$3" "$1/v1/design/image-upload" | sed -E 's/^\\{"id":"([^"]*)".*/\\1/')
curl -sS -o /dev/null -w '%{http_code}' -H "X-Api-Key: $2" -H 'Content-Type: application/json' \\
  -d "{\\"id\\":\\"$id\\",$4}" "$1/v1/design/preview.webp"`,
    'sh',
  ],
  Python: [
    'python3',
    '-c',
    `import json, sys, urllib.error, urllib.request
url, key, photo, recipe = sys.argv[1:]
def call(path, body, kind):
    request = urllib.request.Request(url + path, data=body, headers={'X-Api-Key': key, 'Content-Type': kind})
    return urllib.request.urlopen(request)
form = (b'--b\\r\\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\\r\\n\\r\\n'
        + open(photo, 'rb').read() + b'\\r\\n--b--\\r\\n')
try:
    id = json.load(call('/v1/design/image-upload', form, 'multipart/form-data; boundary=b'))['id']
    body = json.dumps({'id': id, **json.loads('{' + recipe + '}')}).encode()
    print(call('/v1/design/preview.webp', body, 'application/json').status)
except urllib.error.HTTPError as error:
    print(error.code)`,
  ],
  Node: [
    process.execPath,
    '--input-type=module',
    '-e',
    `import { readFile } from 'node:fs/promises';
const [url, key, photo, recipe] = process.argv.slice(1);
const headers = { 'X-Api-Key': key };
const form = new FormData();
form.append('file', new Blob([await readFile(photo)]), 'photo.jpg');
const upload = await fetch(url + '/v1/design/image-upload', { method: 'POST', headers, body: form });
if (!upload.ok) { console.log(upload.status); process.exit(); }
const { id } = await upload.json();
const body = JSON.stringify({ id, ...JSON.parse('{' + recipe + '}') });
console.log((await fetch(url + '/v1/design/preview.webp', { method: 'POST', headers, body })).status);`,
  ],
} as const;

export async function checkPace(rig: Run): Promise<void> {
  const missing = await findMissing(['taskset', 'curl', 'python3']);
  if (missing.length > 0) {
    rig.skip('all of it', `${missing.join(', ')} cannot be found here`);
    return;
  }
  const busy: ChildProcess[] = [];
  try {
    const service = await rig.startOwn(rig.full ? fullEngine : {}, { through: pinned });
    await untilReady(service);
    for (let index = 0; index < busyProcesses; index++) {
      busy.push(spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }));
    }
    const rounds = rig.full ? 20 : 1;
    for (const name of Object.keys(clients) as (keyof typeof clients)[]) {
      const statuses = new Tally();
      const times: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        statuses.add(await callAs(name, service, round));
        times.push(performance.now() - startedAt);
      }
      const slowest = (Math.max(...times) / 1000).toFixed(1);
      rig.bar(
        `${name}: uploads, then first previews`,
        `${rounds} of ${rounds} with 200`,
        `${statuses}; slowest ${slowest} s`,
        statuses.count('200') === rounds,
      );
    }
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

/** Runs one client with a photo that is unique to the round, so that nothing is cached. */
async function callAs(name: keyof typeof clients, service: OwnService, round: number): Promise<string> {
  const folder = join(service.dataDir, 'clients');
  await mkdir(folder, { recursive: true });
  const photo = join(folder, `${name}-${round}.jpg`);
  await writeFile(photo, await makePhoto({ width: 1600 + round * 8, height: 1200 }));
  const recipe = JSON.stringify(white).slice(1, -1);
  const [command, ...words] = [...pinned, ...clients[name], service.url, service.key, photo, recipe];
  const { stdout } = await run(command, words, { timeout: patienceMs }).catch((error: Error) => ({
    stdout: error.message.slice(-200),
  }));
  return stdout.trim();
}

async function findMissing(commands: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    commands.map((command) =>
      run(command, ['--version']).then(
        () => true,
        () => false,
      ),
    ),
  );
  return commands.filter((_, index) => !found[index]);
}
