/** `packshot doctor`: checks everything that the service needs, and gives a remedy for each problem. Changes nothing. */
import type { Command } from 'commander';
import { findFaults } from './doctor/checks.ts';
import type { Finding } from './doctor/verdict.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check the machine, the configuration and the data. Exit code 1 if something would not work.',
    )
    .option('--json', 'print JSON')
    .action(runDoctor);
}

/** Also called by bin/packshot.js where the rest of the program cannot even be loaded. */
export async function runDoctor({ json }: { readonly json?: boolean }): Promise<void> {
  const findings: Finding[] = [];
  for await (const finding of findFaults(process.env)) {
    findings.push(finding);
    if (!json) console.log(toLines(finding));
  }
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (json) console.log(JSON.stringify({ ok: problems === 0, findings }, null, 2));
  else console.log(`\nProblems: ${problems}. Warnings: ${warnings}.`);
  if (problems > 0) process.exitCode = 1;
}

const labels = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' } as const;

function toLines({ check, state, detail, remedy }: Finding): string {
  const line = `${labels[state].padEnd(8)} ${check.padEnd(14)} ${detail}`;
  return remedy === undefined ? line : `${line}\n${' '.repeat(24)}-> ${remedy}`;
}
