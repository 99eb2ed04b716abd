import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshot, packshotProcess } from './command.ts';

let script: string;
let dataDir: string;
beforeAll(async () => {
  script = (await packshotProcess(['completion', 'bash'])).stdout.toString();
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-completion-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Returns what the program offers for these words; the last one is still being typed. */
async function asked(...words: string[]): Promise<string[]> {
  const { stdout } = await packshot(['__complete', '--', ...words], { env: { DATA_DIR: dataDir } });
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0]!);
}

/** Returns the completions that bash offers for this line. It starts the program, which takes a second of CPU. */
async function offers(line: string, cwd = process.cwd()): Promise<string[]> {
  const program = `packshot() { ${process.execPath} ${join(process.cwd(), 'bin/packshot.js')} "$@"; }`;
  const ask = `COMP_LINE=$1; COMP_POINT=\${#1}; _packshot; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', `${program}\n${script}\n${ask}`, 'bash', `packshot ${line}`],
    { cwd, env: { ...process.env, DATA_DIR: dataDir } },
  );
  return stdout.split('\n').filter((offer) => offer !== '');
}

describe('packshot completion', () => {
  it('offers commands, subcommands, options and their values', async () => {
    expect(await offers('re')).toEqual(['remove', 'recipes']);
    expect(await offers('remove --format ')).toEqual(['png', 'webp', 'jpg', 'avif', 'jpeg']);
    expect(await asked('keys', 'ro')).toEqual(['rotate']);
    expect(await asked('remove', 'x.jpg', '-o', 'out', '--over')).toEqual(['--overwrite']);
    expect(await asked('recipes', '--family', 's')).toEqual(['solid', 'surface']);
    expect(await asked('remove', '--recipe', 'Solid4_5_000')).toHaveLength(9);
    expect(await asked('remove', '--recipe', 'S')).toContain('Solid1_1_0035');
  });

  it('offers ratios although bash splits words at a colon', async () => {
    expect(await offers('scene --ratio 4')).toEqual(['4:5', '4:3']);
    expect(await offers('scene --ratio 4:')).toEqual(['5', '3']);
  });

  it('offers existing presets and keys, and creates no data folder to look them up', async () => {
    const folder = join(dataDir, 'elsewhere');
    await mkdir(folder);
    expect(await offers('scene --preset ', folder)).toEqual(['AI_STUDIO']);
    expect(await readdir(dataDir)).toEqual(['elsewhere']);
    const env = { DATA_DIR: dataDir };
    expect((await packshot(['migrate'], { env })).code).toBe(0);
    const preset = await packshot(['presets', 'create', '-'], {
      env,
      input: Buffer.from('name: ACME_SPRING'),
    });
    expect(preset.code).toBe(0);
    expect((await packshot(['keys', 'create', '--name', 'florist'], { env })).code).toBe(0);
    expect(await asked('scene', '--preset', 'A')).toEqual(['AI_STUDIO', 'ACME_SPRING']);
    expect(await asked('keys', 'revoke', 'f')).toEqual(['florist']);
  });

  it('leaves file names to the shell', async () => {
    expect(await offers('remove x')).toEqual([]);
    expect(await asked('remove', '-o', 'x')).toEqual([':files']);
    expect(await asked('remove', '')).toEqual([':files']);
  });

  it('supports zsh and fish, and lists the supported shells', async () => {
    expect((await packshot(['completion', 'zsh'])).stdout.toString()).toMatch(/^#compdef packshot\n/);
    expect((await packshot(['completion', 'fish'])).stdout.toString()).toContain('complete -c packshot');
    expect(await packshot(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
