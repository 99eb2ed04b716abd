/** Configuration of commands that need no service; keeps caches out of the photo folder. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../config.ts';

/**
 * Loads the configuration. If DATA_DIR is not set and there is no folder `./data`, DATA_DIR is a folder in the user's
 * cache. Without this rule, an engine, which stores an optimized copy of its model (180 MB) below DATA_DIR, would
 * create `./data` among the user's photos.
 */
export function loadToolConfig(overrides: Readonly<Record<string, string>> = {}): Config {
  const { XDG_CACHE_HOME, ...environment } = { ...process.env, ...overrides };
  if (environment.DATA_DIR?.trim() || existsSync('data')) return loadConfig(environment);
  const caches = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(homedir(), '.cache');
  return loadConfig({ ...environment, DATA_DIR: join(caches, 'packshot') });
}

/** The settings that commands on models need, whichever engine is chosen. */
export function readModelsConfig() {
  // Leave out the configured engine, whose settings may be incomplete until a model is installed. The engine is then
  // `isnet`, from which memory and provider are read.
  const { REMOVAL_ENGINE: _, REMOVAL_MODEL: _model, ...environment } = process.env;
  const { cutout } = loadConfig(environment);
  const { modelsDir, threads, engine } = cutout;
  const { memory, provider } = engine.engine === 'isnet' ? engine : {};
  const session = { threads, ...(memory && { memory }), ...(provider && { provider }) };
  return { modelsDir, session };
}
