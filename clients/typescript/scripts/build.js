/** `node scripts/build.js [FOLDER]`: compiles the client twice, as an ES module, and as CommonJS for `require`. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

const [out = 'dist'] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
for (const [project, folder] of [
  ['tsconfig.json', out],
  ['tsconfig.cjs.json', `${out}/cjs`],
]) {
  execFileSync('tsc', ['--project', project, '--outDir', folder], { stdio: 'inherit' });
}
writeFileSync(`${out}/cjs/package.json`, '{ "type": "commonjs" }\n');
