/** Options that choose the removal engine for one command, overriding the environment variables. */
import { type Command, Option } from 'commander';
import type { Refuse } from './refuse.ts';

export interface EngineOptions {
  readonly model?: string;
  readonly engine?: string;
  readonly removalQuality?: string;
}

/** Option keys, as Commander names them. */
export const engineOptions = ['model', 'engine', 'removalQuality'] as const;

const included = 'isnet';

export function addEngineOptions(command: Command): Command {
  return command
    .option(
      '-m, --model <model>',
      `"${included}" (included), an installed model (see \`packshot models list\`), or an .onnx file`,
    )
    .addOption(
      new Option('--engine <name>', 'removal engine (default: REMOVAL_ENGINE, or isnet)').choices([
        'isnet',
        'keyer',
        'onnx',
        'http',
      ]),
    )
    .addOption(
      new Option(
        '--removal-quality <mode>',
        'fast: usually one model run per photo; quality: several (default: REMOVAL_QUALITY, or depends on the engine)',
      ).choices(['fast', 'quality']),
    );
}

export function toEnvironment(
  { model, engine, removalQuality }: EngineOptions,
  refuse: Refuse,
): Record<string, string> {
  const needed = model === undefined ? engine : model === included ? included : 'onnx';
  if (engine !== undefined && engine !== needed) refuse(`--model ${model} requires --engine ${needed}.`);
  return {
    ...(needed !== undefined && { REMOVAL_ENGINE: needed }),
    // A blank value means unset. It overrides a model in the environment, which would conflict with the options.
    ...(needed !== undefined && needed !== 'onnx' && { REMOVAL_MODEL: '' }),
    ...(needed === 'onnx' && model !== undefined && { REMOVAL_MODEL: model }),
    ...(removalQuality !== undefined && { REMOVAL_QUALITY: removalQuality }),
  };
}
