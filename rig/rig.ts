/** The test rig: `npm run rig -- [check…] [--full] [--json] [--only PART] [--base-url URL --key K]`. */
import { parseArgs } from 'node:util';
import { checks, isCheckName } from './checks.ts';
import { openRun, type Verdict } from './run.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    'base-url': { type: 'string' },
    key: { type: 'string' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const unknown = positionals.filter((name) => !isCheckName(name));
if (unknown.length > 0) {
  process.stderr.write(
    `No such check: ${unknown.join(', ')}. There are ${Object.keys(checks).join(', ')}.\n`,
  );
  process.exit(2);
}
const baseUrl = values['base-url'] ?? process.env.BASE_URL;
const key = values.key ?? process.env.API_KEY;
if ((baseUrl === undefined) !== (key === undefined)) {
  process.stderr.write(
    'To test a running service, give both --base-url and --key (or BASE_URL and API_KEY).\n',
  );
  process.exit(2);
}
const elsewhere = baseUrl && key ? { url: baseUrl.replace(/\/+$/, ''), key } : undefined;
const wanted =
  positionals.length > 0 ? positionals.filter(isCheckName) : (Object.keys(checks) as (keyof typeof checks)[]);

const words: Record<Verdict, string> = { pass: 'pass', fail: 'FAIL', noted: 'noted', skipped: 'skipped' };
let failed = false;
for (const name of wanted) {
  const { check, needsOwn } = checks[name];
  const run = openRun({
    full: values.full,
    only: values.only,
    elsewhere,
    onBar: (bar) => {
      failed ||= bar.verdict === 'fail';
      if (values.json) say(JSON.stringify({ check: name, ...bar }));
      else
        say(
          `${words[bar.verdict].padEnd(8)}${name.padEnd(11)}${bar.what}: ${bar.measured}${bar.bar && `  (bar: ${bar.bar})`}`,
        );
    },
  });
  try {
    if (elsewhere && needsOwn) run.skip('all of it', 'it needs direct access to processes or folders');
    else await check(run);
  } catch (error) {
    run.bar(
      'runs to its end',
      'no exception',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      false,
    );
  } finally {
    await run.close();
  }
}
process.exitCode = failed ? 1 : 0;
