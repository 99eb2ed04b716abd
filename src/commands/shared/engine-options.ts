/** Options that choose the removal engine for one command, in place of the variables that configure a service. */
import { type Command, Option } from 'commander';

export interface EngineOptions {
  readonly model?: string;
  readonly engine?: string;
  readonly quality?: string;
}

/** The flags, as commander names their values. */
export const engineOptions = ['model', 'engine', 'quality'] as const;

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
        '--quality <mode>',
        'fast: one look at each photo; quality: several (default: REMOVAL_QUALITY, or what suits the engine)',
      ).choices(['fast', 'quality']),
    );
}

const isName = (model: string) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(model) && !model.endsWith('.onnx');

export function toEnvironment(
  { model, engine, quality }: EngineOptions,
  refuse: (why: string) => never,
): Record<string, string> {
  const needed = model === undefined ? engine : model === included ? included : 'onnx';
  if (engine !== undefined && engine !== needed) refuse(`--model ${model} goes with --engine ${needed}.`);
  return {
    ...(needed !== undefined && { REMOVAL_ENGINE: needed }),
    // Blank is unset: no model of the environment stays beside the one that is asked for.
    ...((model !== undefined || (needed !== undefined && needed !== 'onnx')) && {
      REMOVAL_MODEL: '',
      MODEL_FILE: '',
    }),
    ...(needed === 'onnx' &&
      model !== undefined && { [isName(model) ? 'REMOVAL_MODEL' : 'MODEL_FILE']: model }),
    ...(quality !== undefined && { REMOVAL_QUALITY: quality }),
  };
}
