/**
 * Reads the files below `deploy/` as Compose and Kubernetes do, for the test that validates them against
 * schemas and our code.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const deploy = join(root, 'deploy');

export type Environment = Readonly<Record<string, string>>;

/** `NAME=value` lines as Compose and kubectl read them, without support for quotes, which we do not use. */
export function readEnvironmentFile(path: string): Environment {
  const lines = readFileSync(join(deploy, path), 'utf8').matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

export interface ComposeService {
  readonly image?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly environment?: Environment;
  readonly command?: readonly string[];
  readonly networks?: readonly string[];
  readonly network_mode?: string;
}

/** Reads a Compose file, merges its anchors, and resolves `${NAME:-default}` and `${NAME:?message}`. */
export function readCompose(path: string, environment: Environment) {
  const text = readFileSync(join(deploy, path), 'utf8').replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, rest: string | undefined) => {
      const value = environment[name] ?? '';
      if (value !== '') return value;
      if (kind === '?') throw new Error(`${name}: ${rest}`);
      return rest ?? '';
    },
  );
  return parse(text, { merge: true }) as { readonly services: Readonly<Record<string, ComposeService>> };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string }[];
}

export interface EgressRule {
  readonly to: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  }[];
  readonly ports: readonly { readonly port: number }[];
}

/** The fields of a manifest that the test reads; `findManifestFaults` checks the whole manifest. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly stringData?: Environment;
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Environment };
    readonly scaleTargetRef?: { readonly name: string };
    readonly podSelector?: { readonly matchLabels?: Environment };
    readonly egress?: readonly EgressRule[];
    readonly template?: {
      readonly metadata?: { readonly labels: Environment };
      readonly spec: { readonly containers: readonly Container[] };
    };
  };
}

/** Reads all manifests, except the files of kustomize and Helm. */
export function readManifests(): readonly Manifest[] {
  return readdirSync(join(deploy, 'kubernetes'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.yaml$/.test(path) && !/(kustomization|adapter-values)\.yaml$/.test(path))
    .toSorted()
    .flatMap((path) =>
      parseAllDocuments(readFileSync(join(deploy, 'kubernetes', path), 'utf8')).map((document) => ({
        file: path,
        ...(document.toJS() as Omit<Manifest, 'file'>),
      })),
    );
}

/**
 * For each kind of manifest, the module of `kubernetes-types` that contains its type. The package has no types for
 * custom resources, so those are not checked.
 */
const homes: Record<string, string> = {
  ConfigMap: 'core/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking/v1',
  Job: 'batch/v1',
  Namespace: 'core/v1',
  NetworkPolicy: 'networking/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
  ServiceAccount: 'core/v1',
};

/**
 * Type errors of the manifests, checked against `kubernetes-types`, which is generated from Kubernetes' OpenAPI
 * document. A cluster ignores or rejects a misspelled or misplaced field, and only this check finds such a field
 * before a deployment.
 */
export function findManifestFaults(manifests: readonly Manifest[]): string {
  // The folder is inside node_modules, so that the types resolve, and git and the linter ignore the folder.
  const folder = mkdtempSync(join(root, 'node_modules', '.deploy-'));
  try {
    const typed = manifests.filter(({ kind }) => kind in homes);
    const lines = typed.map(({ file, ...manifest }, i) => {
      const type = `import('kubernetes-types/${homes[manifest.kind]}').${manifest.kind}`;
      // Patches are partial manifests.
      const wanted = file.startsWith('gpu/') ? `Partly<${type}>` : type;
      return `export const manifest${i}: ${wanted} = ${JSON.stringify(manifest)}; // ${file}`;
    });
    const partly =
      'type Partly<T> = T extends readonly (infer U)[] ? readonly Partly<U>[] : T extends object ? { [K in keyof T]?: Partly<T[K]> } : T;';
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, `${partly}\n${lines.join('\n')}\n`);
    const { stdout, stderr } = spawnSync(
      join(root, 'node_modules', '.bin', 'tsc'),
      [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'esnext',
        '--moduleResolution',
        'bundler',
        '--types',
        '',
        file,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    return `${stdout}${stderr}`.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
