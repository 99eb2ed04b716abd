/** The languages in which clients are tried, and which of them this machine has. */
import { spawnSync } from 'node:child_process';

export const clientPrograms = [
  { name: 'curl', program: 'sh', needs: ['curl', '--version'], file: 'client.sh' },
  { name: 'Python', program: 'python3', needs: ['python3', '--version'], file: 'client.py' },
  { name: 'Node', program: process.execPath, needs: [process.execPath, '--version'], file: 'client.mjs' },
  { name: 'Ruby', program: 'ruby', needs: ['ruby', '-rbase64', '-e', ''], file: 'client.rb' },
  {
    name: 'PHP',
    program: 'php',
    needs: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    file: 'client.php',
  },
].map(({ needs: [program, ...input], ...client }) => ({
  ...client,
  isHere: spawnSync(program!, input).status === 0,
}));
