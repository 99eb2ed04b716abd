import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { packshot } from './command.ts';

let script: string;
beforeAll(async () => {
  script = (await packshot(['completion', 'bash'])).stdout.toString();
});

/** What bash offers behind these words, the last of which is being typed. */
async function offers(...words: string[]): Promise<string[]> {
  const ask = `COMP_WORDS=(packshot "$@"); COMP_CWORD=$#; COMPREPLY=(); _packshot; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\n${ask}`, 'bash', ...words]);
  return stdout.trim().split('\n');
}

describe('packshot completion', () => {
  it('offers commands, their commands, their options and what these take', async () => {
    expect(await offers('re')).toEqual(['remove', 'recipes']);
    expect(await offers('keys', 'ro')).toEqual(['rotate']);
    expect(await offers('remove', 'x.jpg', '-o', 'out', '--over')).toEqual(['--overwrite']);
    expect(await offers('remove', '--format', '')).toEqual(['png', 'webp', 'jpg', 'avif', 'jpeg']);
  });

  it('leaves files to the shell', async () => {
    expect(await offers('remove', 'x')).toEqual(['']);
    expect(await offers('remove', '-o', 'x')).toEqual(['']);
  });

  it('knows zsh and fish, and says which shells it knows', async () => {
    expect((await packshot(['completion', 'zsh'])).stdout.toString()).toMatch(/^#compdef packshot\n/);
    expect((await packshot(['completion', 'fish'])).stdout.toString()).toContain(' -l overwrite -d ');
    expect(await packshot(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});
