/** Reads the operator's exported ComfyUI workflow and fills in its placeholders for one picture. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import type { IllustrationMode } from '../painting/illustration-engine.ts';

/**
 * `image` and `mask` are the names of uploaded files. If a string in the workflow is just `%seed%`, `%width%` or
 * `%height%`, a JSON number replaces it.
 */
export interface WorkflowValues {
  readonly prompt: string;
  readonly negative: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly image: string;
  readonly mask: string;
}
type Placeholder = keyof WorkflowValues;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** ComfyUI's API format: nodes by ID. Each input of a node is a value or a pair [node, output]. */
const workflowSchema = z.record(
  z.string(),
  z.looseObject({ class_type: z.string(), inputs: z.record(z.string(), z.json()) }),
);
export type ApiWorkflow = z.infer<typeof workflowSchema>;

export interface Workflow {
  readonly modes: readonly IllustrationMode[];
  /** Hash of the workflow file, 12 hexadecimal digits. */
  readonly hash: string;
  /** The first model file that the workflow names, or, if there is none, the workflow's file name. */
  readonly model: string;
  readonly has: (placeholder: Placeholder) => boolean;
  readonly fill: (values: WorkflowValues) => ApiWorkflow;
}

/** A workflow of a hundred nodes has about 50 kB; a file above this limit is something else. */
const MAX_BYTES = 4 * 1024 * 1024;
const placeholders = /%(prompt|negative|seed|width|height|image|mask)%/g;
const numbers = /^%(seed|width|height)%$/;
/** Names of the inputs that hold a model's file name, in loaders of checkpoints, diffusion models and GGUF files. */
const modelInputs = ['ckpt_name', 'unet_name', 'model_name'];

/** Throws `internal`, with instructions for the operator, if the file is not a usable workflow. */
export async function readWorkflow(file: string): Promise<Workflow> {
  const text = await readText(file);
  const nodes = parseNodes(text);
  const found = new Set(
    [...JSON.stringify(Object.values(nodes).map(({ inputs }) => inputs)).matchAll(placeholders)].map(
      ([, name]) => name as Placeholder,
    ),
  );
  if (!found.has('prompt'))
    throw invalidWorkflow('has no %prompt%: put it into the text of the node that encodes the prompt');
  if (found.has('mask') && !found.has('image')) throw invalidWorkflow('has %mask% without %image%');
  return {
    modes: [found.has('mask') ? 'scaffold-edit' : found.has('image') ? 'instruct-edit' : 'plate-only'],
    hash: createHash('sha256').update(text).digest('hex').slice(0, 12),
    model: findModel(nodes) ?? basename(file),
    has: (placeholder) => found.has(placeholder),
    fill: (values) =>
      Object.fromEntries(
        Object.entries(nodes).map(([id, node]) => [
          id,
          { ...node, inputs: fillIn(node.inputs, values) as typeof node.inputs },
        ]),
      ),
  };
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new PackshotError('internal', 'The ComfyUI workflow file cannot be read.', { cause: error });
  }
  if (bytes.length > MAX_BYTES) throw invalidWorkflow(`has more than ${MAX_BYTES} bytes`);
  return bytes.toString();
}

function parseNodes(text: string): ApiWorkflow {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalidWorkflow('is not JSON', error);
  }
  // In the editor format, `nodes` is a list of nodes with their screen positions.
  if (typeof json === 'object' && json !== null && 'nodes' in json && Array.isArray(json.nodes))
    throw invalidWorkflow(
      'is in the editor format: export it with "Workflow > Export (API)" or, in older versions, with "Save (API Format)", which appears once "Enable Dev mode Options" is on in the settings',
    );
  const nodes = workflowSchema.safeParse(json);
  if (!nodes.success || Object.keys(nodes.data).length === 0)
    throw invalidWorkflow('is not in the API format: each node needs "class_type" and "inputs"');
  return nodes.data;
}

/** Fills in all placeholders in a single pass, so that placeholders inside a prompt's text are never expanded. */
function fillIn(value: Json, values: WorkflowValues): Json {
  if (typeof value === 'string') {
    const number = numbers.exec(value)?.[1] as 'seed' | 'width' | 'height' | undefined;
    return number === undefined
      ? value.replace(placeholders, (_, name: Placeholder) => String(values[name]))
      : values[number];
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, values)]));
}

function findModel(nodes: ApiWorkflow): string | undefined {
  for (const { inputs } of Object.values(nodes))
    for (const name of modelInputs) if (typeof inputs[name] === 'string') return inputs[name];
  return undefined;
}

function invalidWorkflow(why: string, cause?: unknown): PackshotError {
  return new PackshotError('internal', `The ComfyUI workflow file ${why}.`, { cause });
}
