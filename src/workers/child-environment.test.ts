import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

describe('the environment of child processes', () => {
  it('has what the system, Node, ONNX Runtime and GPUs need', () => {
    const needed = {
      PATH: '/usr/bin',
      HOME: '/home/packshot',
      TMPDIR: '/tmp',
      LANG: 'C.UTF-8',
      LC_ALL: 'C.UTF-8',
      TZ: 'Europe/Berlin',
      NODE_OPTIONS: '--import tracer',
      NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
      NODE_COMPILE_CACHE: '/tmp/node-compile-cache',
      SSL_CERT_FILE: '/etc/ssl/cert.pem',
      MALLOC_ARENA_MAX: '4',
      ORT_DISABLE_TELEMETRY: '1',
      OMP_NUM_THREADS: '2',
      LD_LIBRARY_PATH: '/usr/local/cuda/lib64',
      CUDA_VISIBLE_DEVICES: '1',
      NVIDIA_VISIBLE_DEVICES: 'all',
      XDG_RUNTIME_DIR: '/run/user/1000',
    };
    expect(childEnvironment(needed)).toEqual(needed);
  });

  it('contains nothing else, in particular no secrets', () => {
    const others = {
      DATABASE_URL: 'postgres://packshot:secret@db/packshot',
      BOOTSTRAP_API_KEY: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_PROFILE: 'production',
      PGPASSWORD: 'secret',
      SMTP_PASS: 'secret',
      SENTRY_DSN: 'https://secret@sentry.example/1',
      HTTPS_PROXY: 'http://user:secret@proxy.example:3128',
      https_proxy: 'http://user:secret@proxy.example:3128',
      REMOVAL_HEADERS: 'Authorization: secret',
      NODE_AUTH_TOKEN: 'secret',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
      MYPATH: 'secret',
      PATH_TO_SECRETS: 'secret',
    };
    expect(childEnvironment(others)).toEqual({});
  });
});
