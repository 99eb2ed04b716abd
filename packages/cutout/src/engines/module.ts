/** A removal engine from a JavaScript file of the operator: `REMOVAL_ENGINE=./my-engine.mjs`. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PackshotError } from 'packshot-errors';
import type { Matte } from 'packshot-pixels';
import { MIN_SIDE_PX, type RemovalEngine } from '../removal-engine.ts';

export interface ModuleSettings {
  readonly file: string;
}

/** Rejects with `internal`, whose message names the file, the member and the remedy. */
export async function openModule({ file }: ModuleSettings): Promise<RemovalEngine> {
  const fault = (what: string, cause?: unknown) =>
    new PackshotError('internal', `The removal engine ${basename(file)}: ${what} See docs/engines.md.`, {
      cause,
    });
  const exported = await load(file, fault);
  const engine = isRecord(exported) ? (exported as Partial<RemovalEngine>) : {};
  for (const member of ['id', 'version'] as const)
    if (typeof engine[member] !== 'string' || engine[member] === '')
      throw fault(`its engine needs \`${member}\`, a text that is not empty.`);
  for (const member of ['predictMatte', 'close'] as const)
    if (typeof engine[member] !== 'function') throw fault(`its engine needs \`${member}\`, a function.`);
  const { id, version, predictMatte, close } = engine as RemovalEngine;
  return {
    id,
    version: `${id} ${version}`,
    async predictMatte(source, options) {
      const matte = await predictMatte.call(engine, source, options);
      if (!isMatte(matte))
        throw fault(
          `\`predictMatte\` must return { width, height, data } with sides of ${MIN_SIDE_PX} px or more, and a byte for each pixel.`,
        );
      return matte;
    },
    close: async () => close.call(engine),
  };
}

/** The engine that the file exports by default, or that its default function returns. */
async function load(file: string, fault: (what: string, cause?: unknown) => Error): Promise<unknown> {
  let loaded: { readonly default?: unknown };
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw fault(`the file cannot be loaded (${error instanceof Error ? error.message : error}).`, error);
  }
  if (loaded.default === undefined)
    throw fault('the file needs a default export: an engine, or a function that opens one.');
  return typeof loaded.default === 'function' ? loaded.default() : loaded.default;
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isMatte(value: unknown): value is Matte {
  if (!isRecord(value)) return false;
  const { width, height, data } = value as Partial<Matte>;
  return (
    Number.isInteger(width) &&
    Number.isInteger(height) &&
    Math.min(width!, height!) >= MIN_SIDE_PX &&
    data instanceof Uint8Array &&
    data.length === width! * height!
  );
}
