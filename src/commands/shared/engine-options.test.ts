import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addEngineOptions, type EngineOptions, toEnvironment } from './engine-options.ts';

const parse = (...words: string[]) =>
  toEnvironment(
    addEngineOptions(new Command('remove')).parse(words, { from: 'user' }).opts<EngineOptions>(),
    (why) => {
      throw new Error(why);
    },
  );

const noModel = { REMOVAL_MODEL: '' };

describe('options that choose the engine', () => {
  it('override the environment variables', () => {
    expect(parse('--engine', 'keyer', '--removal-quality', 'fast')).toEqual({
      ...noModel,
      REMOVAL_ENGINE: 'keyer',
      REMOVAL_QUALITY: 'fast',
    });
    // Without --model, the model from the environment applies.
    expect(parse('--engine', 'onnx')).toEqual({ REMOVAL_ENGINE: 'onnx' });
    expect(parse()).toEqual({});
  });

  it('accept a model by name or file, and the included model by its name', () => {
    const onnx = { ...noModel, REMOVAL_ENGINE: 'onnx' };
    expect(parse('-m', 'birefnet')).toEqual({ ...onnx, REMOVAL_MODEL: 'birefnet' });
    expect(parse('--model', './u2net.onnx')).toEqual({ ...onnx, REMOVAL_MODEL: './u2net.onnx' });
    expect(parse('--model', 'u2net.onnx')).toEqual({ ...onnx, REMOVAL_MODEL: 'u2net.onnx' });
    expect(parse('--model', 'isnet')).toEqual({ ...noModel, REMOVAL_ENGINE: 'isnet' });
    expect(parse('--model', 'birefnet', '--engine', 'onnx')).toMatchObject({ REMOVAL_MODEL: 'birefnet' });
  });

  it('reject a model that the chosen engine cannot run', () => {
    expect(() => parse('--model', 'birefnet', '--engine', 'keyer')).toThrow('--engine onnx');
    expect(() => parse('--model', 'isnet', '--engine', 'http')).toThrow('--engine isnet');
  });
});
