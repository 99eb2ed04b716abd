/**
 * Makes a network that was exported for one input size accept any size. Each `Resize` with a constant target
 * size gets a constant factor instead, and the input and output sizes become dynamic.
 *
 * One set of weights can then run at several resolutions. Nodes that the requested output does not depend on
 * are removed; otherwise, each run would also compute the unused outputs.
 */

import { findConstant, type Graph, type Node, nameOf, readGraph, readIntegers } from './network-graph.ts';
import {
  elementType,
  type Field,
  fieldOf,
  findField,
  integerField,
  type Parts,
  readFields,
  textField,
  wrap,
} from './onnx-graph.ts';

export interface NetworkEnds {
  /** Names of the input picture and the requested output plane. */
  readonly input: string;
  readonly output: string;
}

export type FreedModel =
  | { readonly isFree: true; readonly model: Uint8Array }
  /** `model` is the unchanged file. */
  | { readonly isFree: false; readonly model: Uint8Array; readonly why: string };

/** Operators that compute each part of their output independently of the picture's size. */
const sizeless: ReadonlySet<string> = new Set([
  ...[
    'Add',
    'AveragePool',
    'BatchNormalization',
    'Cast',
    'Clip',
    'Concat',
    'Constant',
    'Conv',
    'ConvTranspose',
  ],
  ...['Div', 'Identity', 'LeakyRelu', 'MaxPool', 'Mul', 'PRelu', 'Relu', 'Resize', 'Sigmoid', 'Sub', 'Tanh'],
]);

/** Throws only if the bytes are not an ONNX file. */
export function freeInputSize(model: Uint8Array, ends: NetworkEnds): FreedModel {
  const file = readFields(model);
  const graph = findField(file, fieldOf.model.graph);
  if (!graph) throw new Error('the file holds no ONNX graph');
  try {
    const freed = freeGraph(readGraph(graph.content), ends);
    const parts = file.flatMap((field) => (field === graph ? wrap(field.number, freed) : [field.raw]));
    return { isFree: true, model: Buffer.concat(parts) };
  } catch (error) {
    if (!(error instanceof CannotFree)) throw error;
    return { isFree: false, model, why: error.message };
  }
}

class CannotFree extends Error {
  override readonly name = 'CannotFree';
}

function freeGraph(graph: Graph, { input, output }: NetworkEnds): Parts {
  const { fields, nodes, makers } = graph;
  if (!makers.has(output)) throw new CannotFree(`it has no output ${output}`);
  const rewritten = new Map<Node, Rewritten>();
  const needed = new Set<string>();
  const due = [output];
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    const node = makers.get(name);
    if (!node) continue;
    if (!sizeless.has(node.operator)) throw new CannotFree(`its ${node.operator} may depend on the size`);
    const scaled = scaleResize(node, graph, rewritten.size);
    if (scaled) rewritten.set(node, scaled);
    due.push(...(scaled?.inputs ?? node.inputs).filter((each) => each !== ''));
  }
  if (!needed.has(input)) throw new CannotFree(`its output does not depend on an input ${input}`);
  const parts = fields.flatMap((field): Parts => {
    const node = nodes.get(field);
    if (node) {
      if (!node.outputs.some((name) => needed.has(name))) return [];
      return rewritten.get(node)?.parts ?? [field.raw];
    }
    return keep(field, { input, output, needed });
  });
  return [...parts, ...[...rewritten.values()].flatMap(({ factor }) => factor)];
}

/**
 * Copies a field of the graph that is not a node, and makes the sizes of `input` and `output` dynamic. Drops unneeded
 * initializers and outputs, and the shapes of intermediate values, which the runtime infers.
 */
function keep(
  field: Field,
  { input, output, needed }: NetworkEnds & { readonly needed: ReadonlySet<string> },
): Parts {
  switch (field.number) {
    case fieldOf.graph.initializer:
      return needed.has(nameOf(readFields(field.content), fieldOf.tensor.name)) ? [field.raw] : [];
    case fieldOf.graph.input:
      return nameOf(readFields(field.content), fieldOf.valueInfo.name) === input
        ? freeSides(field)
        : [field.raw];
    case fieldOf.graph.output:
      return nameOf(readFields(field.content), fieldOf.valueInfo.name) === output ? freeSides(field) : [];
    case fieldOf.graph.valueInfo:
      return [];
    default:
      return [field.raw];
  }
}

interface Rewritten {
  readonly inputs: readonly string[];
  readonly parts: Parts;
  /** The initializer from which the rewritten node reads its scale factors. */
  readonly factor: Parts;
}

/** Returns undefined if the node is not a `Resize` with a target size. */
function scaleResize(node: Node, graph: Graph, index: number): Rewritten | undefined {
  const { fields, operator, inputs } = node;
  const [from = '', , , sizes = ''] = inputs;
  if (operator !== 'Resize' || sizes === '') return undefined;
  const [height, width] = findTarget(sizes, graph);
  const [, , fromHeight = -1, fromWidth = -1] = graph.shapes.get(from) ?? [];
  if (fromHeight < 1 || fromWidth < 1) throw new CannotFree('the input size of a Resize node is not known');
  const factors = [1, 1, height / fromHeight, width / fromWidth];
  const factorName = `packshot_factor_${index}`;
  const rest = fields.filter(({ number }) => number !== fieldOf.node.input).map(({ raw }) => raw);
  const names = [from, '', factorName];
  return {
    inputs: names,
    parts: wrap(fieldOf.graph.node, [...names.map((name) => textField(fieldOf.node.input, name)), ...rest]),
    factor: wrap(fieldOf.graph.initializer, [
      integerField(fieldOf.tensor.dims, factors.length),
      integerField(fieldOf.tensor.type, elementType.float32),
      textField(fieldOf.tensor.name, factorName),
      ...wrap(fieldOf.tensor.raw, [new Uint8Array(Float32Array.from(factors).buffer)]),
    ]),
  };
}

/**
 * The target height and width: the last two of four constant values or, in PyTorch's exports, the two values of a
 * constant that is the last input of a `Concat`, after the sizes of batch and channels.
 */
function findTarget(sizes: string, graph: Graph): [number, number] {
  const maker = graph.makers.get(sizes);
  const last = maker?.operator === 'Concat' ? (maker.inputs.at(-1) ?? '') : sizes;
  const values = readIntegers(findConstant(last, graph));
  const [height, width] = values.slice(-2);
  if (!height || !width || height < 1 || width < 1 || (last !== sizes && values.length !== 2))
    throw new CannotFree('a Resize node computes its target size');
  return [height, width];
}

/** Makes the last two dimensions (height and width) of an input or output dynamic. */
function freeSides(field: Field): Parts {
  return wrap(
    field.number,
    mapField(
      field.content,
      [fieldOf.valueInfo.type, fieldOf.type.tensor, fieldOf.tensorType.shape],
      openLastTwo,
    ),
  );
}

function openLastTwo(shape: Uint8Array): Parts {
  const dims = readFields(shape);
  return dims.flatMap((dim, index) => (index < dims.length - 2 ? [dim.raw] : wrap(fieldOf.shape.dim, [])));
}

/** Applies `change` to the content of the nested messages at `path`, and copies all other fields. */
function mapField(
  message: Uint8Array,
  path: readonly number[],
  change: (content: Uint8Array) => Parts,
): Parts {
  const [number, ...rest] = path;
  if (number === undefined) return change(message);
  return readFields(message).flatMap((field) =>
    field.number === number ? wrap(number, mapField(field.content, rest, change)) : [field.raw],
  );
}
