/** The settings that commands on models need, whichever engine is chosen. */
import { loadConfig } from '../../config.ts';

export function readModelsConfig() {
  // Ignore the configured engine: its settings may name a model that is not installed yet.
  const { REMOVAL_ENGINE: _, REMOVAL_MODEL: _model, MODEL_FILE: _file, ...environment } = process.env;
  const { cutout } = loadConfig(environment);
  const { modelsDir, modelMirror: mirror, threads, engine } = cutout;
  const { memory, provider } = engine.engine === 'isnet' ? engine : {};
  const session = { threads, ...(memory && { memory }), ...(provider && { provider }) };
  return { modelsDir, mirror, session };
}
