import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { ConfigError } from './setting.ts';

const engineOf = (environment: Record<string, string>) =>
  loadConfig({ DATA_DIR: '/data', REMOVAL_THREADS: '2', ...environment }).cutout.engine;

describe('the configuration of the removal engines', () => {
  it('accepts an installed model by its name, and implies the engine that runs it', () => {
    const birefnet = {
      engine: 'onnx',
      threads: 2,
      cacheDir: resolve('/data/models'),
      memory: 'fast',
      provider: 'cpu',
      modelFile: resolve('/data/models/birefnet.onnx'),
      modelName: 'birefnet',
    };
    expect(engineOf({ REMOVAL_MODEL: 'birefnet' })).toEqual(birefnet);
    expect(engineOf({ REMOVAL_MODEL: 'birefnet', REMOVAL_ENGINE: 'onnx' })).toEqual(birefnet);
    expect(engineOf({ REMOVAL_MODEL: 'isnet' })).toEqual(engineOf({}));
  });

  it('accepts a model file by its path', () => {
    const onnx = (file: string) => engineOf({ REMOVAL_MODEL: file });
    expect(onnx('/weights/u2net.onnx')).toMatchObject({ modelFile: resolve('/weights/u2net.onnx') });
    expect(onnx('u2net.onnx')).toMatchObject({ modelFile: join(process.cwd(), 'u2net.onnx') });
    expect(onnx('u2net.onnx')).not.toHaveProperty('modelName');
  });

  it('completes the URL of a rembg server, and keeps an explicit path and query', () => {
    const http = (url: string) => engineOf({ REMOVAL_ENGINE: 'http', REMOVAL_URL: url });
    expect(http('http://gpu:7000')).toEqual({
      engine: 'http',
      url: 'http://gpu:7000/api/remove',
      headers: {},
      fields: [['om', 'true']],
      fileField: 'file',
      timeoutMs: 20_000,
      retries: 2,
    });
    expect(http('https://cut.example/v2?tier=fast')).toMatchObject({
      url: 'https://cut.example/v2?tier=fast',
    });
  });

  it('reads one header per line, and form fields written as a URL query', () => {
    expect(
      engineOf({
        REMOVAL_ENGINE: 'http',
        REMOVAL_URL: 'http://gpu',
        REMOVAL_HEADERS: 'Authorization: Bearer a:b, c\n\n X-Tier:fast ',
        REMOVAL_FIELDS: 'om=true&model=birefnet-general&image_file=@photo&extras=%7B%7D',
      }),
    ).toMatchObject({
      headers: { authorization: 'Bearer a:b, c', 'x-tier': 'fast' },
      fields: [
        ['om', 'true'],
        ['model', 'birefnet-general'],
        ['extras', '{}'],
      ],
      fileField: 'image_file',
    });
  });

  it.each([
    [{ REMOVAL_ENGINE: 'onnx' }, /REMOVAL_MODEL: needed with REMOVAL_ENGINE=onnx/],
    [{ REMOVAL_ENGINE: 'keyer', REMOVAL_MODEL: 'u2net' }, /REMOVAL_MODEL: requires REMOVAL_ENGINE=onnx/],
    [{ REMOVAL_ENGINE: 'onnx', REMOVAL_MODEL: 'isnet' }, /requires REMOVAL_ENGINE=isnet/],
    [{ REMOVAL_MODEL: './hidden.onnx', REMOVAL_ENGINE: 'keyer' }, /requires REMOVAL_ENGINE=onnx/],
    [{ REMOVAL_MODEL: './hidden' }, /REMOVAL_MODEL: needs the name of a model/],
    [{ REMOVAL_ENGINE: 'http' }, /REMOVAL_URL: needed with REMOVAL_ENGINE=http/],
    [{ REMOVAL_PROVIDER: 'gpu' }, /REMOVAL_PROVIDER/],
    [{ REMOVAL_URL: 'ftp://gpu' }, /REMOVAL_URL: needs an http or https URL/],
    [{ REMOVAL_URL: 'http://me:hidden@gpu' }, /REMOVAL_URL: takes no user name/],
    [{ REMOVAL_HEADERS: 'Bearer hidden' }, /REMOVAL_HEADERS: needs one `Name: value` per line/],
    [{ REMOVAL_HEADERS: 'X-Key: hidden\u0007' }, /REMOVAL_HEADERS/],
  ])('refuses %j without showing the invalid value', (environment, message) => {
    const load = () => engineOf(environment as Record<string, string>);
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(message);
    expect(load).not.toThrow(/hidden/);
  });
});
