/**
 * `npm run audit`: checks the dependencies against our rules, then asks the registry for known
 * vulnerabilities. If the registry does not answer this query, the audit reports that but does not fail. `--offline`
 * skips the query.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFaults, type InstalledPackage, type LockedPackage, type Manifest } from './dependency-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const manifest: Manifest = readJson('package.json');
const locked: Record<string, LockedPackage> = readJson('package-lock.json').packages;
const faults = findFaults({
  manifest,
  locked,
  findInstalled: (path): InstalledPackage | undefined =>
    existsSync(join(root, path, 'package.json')) ? readJson(join(path, 'package.json')) : undefined,
  thirdParty: readFileSync(join(root, 'THIRD_PARTY.md'), 'utf8'),
});
for (const fault of faults) console.error(fault);
console.log(`${Object.keys(locked).length - 1} packages, ${faults.length} faults`);
const known = process.argv.includes('--offline') ? 0 : countVulnerabilities();
if (faults.length + known > 0) process.exitCode = 1;

/** Vulnerabilities of production dependencies. */
function countVulnerabilities(): number {
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000'];
  const { stdout } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
  const report = parse(stdout);
  if (report?.auditReportVersion === undefined) {
    console.log(`Known vulnerabilities were not checked: ${report?.message ?? 'npm printed nothing'}`);
    return 0;
  }
  const found = Object.entries(report.vulnerabilities ?? {});
  for (const [name, { severity, range }] of found) console.error(`${name} ${range}: ${severity}`);
  console.log(`${found.length} packages with known vulnerabilities`);
  return found.length;
}

interface AuditReport {
  readonly auditReportVersion?: number;
  /** An error message; set instead of a report. */
  readonly message?: string;
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
}

function parse(text: string | null): AuditReport | undefined {
  try {
    return JSON.parse(text ?? '');
  } catch {
    // npm is missing or was interrupted.
    return undefined;
  }
}
