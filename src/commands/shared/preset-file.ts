/** Reads preset files, YAML or JSON, and reports errors with their line numbers. */

import { PackshotError } from 'packshot-errors';
import { isMap, isNode, isScalar, LineCounter, parseDocument, stringify, visit } from 'yaml';
import type { z } from 'zod';
import { type Preset, presetSchema } from '../../recipes/presets.ts';

/** Maximum number of errors reported: further errors usually follow from the first ones. */
const maxProblems = 20;

/** Parses one preset or a list of presets. Throws `invalid_field`; the message lists the problems with their lines. */
export function parsePresetFile(text: string): Preset[] {
  const lines = new LineCounter();
  // JSON is valid YAML; prettyErrors would add an excerpt of the file to every message.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number): string => `line ${lines.linePos(offset).line}`;
  if (document.errors.length > 0) {
    throw refuse(document.errors.map(({ pos, message }) => `${lineAt(pos[0])}: ${message}`));
  }
  const dangling: string[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document)) return;
      const where = alias.range ? lineAt(alias.range[0]) : 'somewhere';
      dangling.push(`${where}: *${alias.source} needs quotes; a bare * refers to an anchor.`);
    },
  });
  if (dangling.length > 0) throw refuse(dangling);
  const content = readContent(document);
  const items = Array.isArray(content) ? content : [content];
  if (content === null || items.length === 0) throw refuse(['it is empty']);

  const lineOf = (path: readonly PropertyKey[]): string => {
    // A missing value has no line, so the line of its parent is reported.
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 'line 1';
  };
  const lineOfKey = (path: readonly PropertyKey[], name: string): string => {
    const map: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    const key = isMap(map)
      ? map.items.find((pair) => isScalar(pair.key) && pair.key.value === name)?.key
      : null;
    return isScalar(key) && key.range ? lineAt(key.range[0]) : lineOf(path);
  };
  const describe = (at: readonly PropertyKey[], issue: z.core.$ZodIssue): string[] => {
    const path = [...at, ...issue.path];
    if (issue.code !== 'unrecognized_keys')
      return [`${lineOf(path)}, ${showPath(issue.path)}: ${issue.message}`];
    const known = Object.keys(presetSchema.shape).join(', ');
    return issue.keys.map(
      (key) => `${lineOfKey(path, key)}, ${key}: unknown field. The fields are ${known}.`,
    );
  };

  const presets: Preset[] = [];
  const problems: string[] = [];
  for (const [index, item] of items.entries()) {
    const at = Array.isArray(content) ? [index] : [];
    const result = presetSchema.safeParse(item);
    if (!result.success) problems.push(...result.error.issues.flatMap((issue) => describe(at, issue)));
    else if (presets.some(({ name }) => name === result.data.name))
      problems.push(`${lineOf([...at, 'name'])}, name: ${result.data.name} appears twice.`);
    else presets.push(result.data);
  }
  if (problems.length > 0) throw refuse(problems);
  return presets;
}

function readContent(document: ReturnType<typeof parseDocument>): unknown {
  try {
    // Without this limit, a short file with nested aliases could exhaust memory.
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw refuse(['its aliases expand too much'], cause);
  }
}

function refuse(problems: readonly string[], cause?: unknown): PackshotError {
  const shown = problems.slice(0, maxProblems);
  const rest = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return new PackshotError(
    'invalid_field',
    ['Not a valid preset:', ...shown, ...rest].join('\n  '),
    cause === undefined ? {} : { cause },
  );
}

function showPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the preset';
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index ? '.' : ''}${String(key)}`))
    .join('');
}

/** Writes YAML that `parsePresetFile` can read. */
export function formatPreset(preset: Preset): string {
  return stringify(preset, { lineWidth: 0 });
}
