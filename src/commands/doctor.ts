/** `packshot doctor`: checks everything that the service needs and suggests remedies. Changes nothing. */
import type { Command } from 'commander';
import { findFaults } from './doctor/checks.ts';
import type { DialectName } from './doctor/dialect.ts';
import type { Finding } from './doctor/verdict.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check the machine, the configuration and the data. Exit code 1 if something would not work.',
    )
    .option('--json', 'print JSON')
    .addOption(
      program
        .createOption(
          '--dialect <service>',
          'only test whether clients of this other service would work with this installation',
        )
        .choices(['removebg', 'photoroom', 'rembg']),
    )
    .option(
      '--url <url>',
      'with --dialect: base URL that clients use (default: PUBLIC_URL, or HOST and PORT)',
    )
    .addOption(
      program
        .createOption('--key <secret>', 'with --dialect: API key that clients use')
        .env('PACKSHOT_API_KEY'),
    )
    .addHelpText(
      'after',
      `
Examples:
  packshot doctor                                               before the first start
  packshot doctor --dialect removebg --key psk_live_...         whether a client of remove.bg would work here
  packshot doctor --dialect rembg --url http://127.0.0.1:7000   for the port that packshot serve --rembg opens`,
    )
    .action(runDoctor);
}

interface DoctorOptions {
  readonly json?: boolean;
  readonly dialect?: DialectName;
  readonly url?: string;
  readonly key?: string;
}

/** Also called by bin/packshot.js if the rest of the program cannot be loaded. */
export async function runDoctor({ json, dialect, url, key }: DoctorOptions): Promise<void> {
  const findings: Finding[] = [];
  const found = dialect ? await tryAt(dialect, url, key) : findFaults(process.env);
  for await (const finding of found) {
    findings.push(finding);
    if (!json) console.log(toLines(finding));
  }
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (json) console.log(JSON.stringify({ ok: problems === 0, findings }, null, 2));
  else console.log(`\nProblems: ${problems}. Warnings: ${warnings}.`);
  if (problems > 0) process.exitCode = 1;
}

/** Imports the rest of the program only here, so that the other checks run even if it cannot be loaded. */
async function tryAt(dialect: DialectName, url: string | undefined, key: string | undefined) {
  const [{ tryDialect }, { loadConfig }] = await Promise.all([
    import('./doctor/dialect.ts'),
    import('../config.ts'),
  ]);
  const { server, dialects } = loadConfig(process.env);
  const keyless = dialect === 'rembg' ? dialects.rembg : undefined;
  const place = keyless ?? { host: server.host, port: server.port };
  const ownUrl = (!keyless && server.publicUrl) || `http://${place.host}:${place.port}`;
  return tryDialect({ dialect, url: (url ?? ownUrl).replace(/\/+$/, ''), key });
}

const labels = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' } as const;

function toLines({ check, state, detail, remedy }: Finding): string {
  const line = `${labels[state].padEnd(8)} ${check.padEnd(14)} ${detail}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(24)}-> ${remedy}`;
}
