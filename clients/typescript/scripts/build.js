/** Compiles the client twice: as an ES module, and as CommonJS for `require`. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync('tsc', ['--project', project], { stdio: 'inherit' });
}
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
