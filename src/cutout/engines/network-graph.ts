/** The graph of an ONNX file: nodes, constants, and the sizes that the file states. */
import {
  elementType,
  type Field,
  fieldOf,
  findField,
  listIntegers,
  listTexts,
  readFields,
  readText,
} from './onnx-graph.ts';

export interface Node {
  readonly fields: readonly Field[];
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface Graph {
  readonly fields: readonly Field[];
  readonly nodes: ReadonlyMap<Field, Node>;
  /** The node that computes each named value. */
  readonly makers: ReadonlyMap<string, Node>;
  /** The fields of each initializer's tensor, by name. */
  readonly constants: ReadonlyMap<string, readonly Field[]>;
  /** Dimensions of each named value as stated in the graph; -1 for an unstated one. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

export function readGraph(content: Uint8Array): Graph {
  const fields = readFields(content);
  const nodes = new Map<Field, Node>();
  const makers = new Map<string, Node>();
  const constants = new Map<string, readonly Field[]>();
  const shapes = new Map<string, readonly number[]>();
  for (const field of fields) {
    switch (field.number) {
      case fieldOf.graph.node: {
        const node = readNode(field.content);
        nodes.set(field, node);
        for (const name of node.outputs) makers.set(name, node);
        break;
      }
      case fieldOf.graph.initializer: {
        const tensor = readFields(field.content);
        constants.set(nameOf(tensor, fieldOf.tensor.name), tensor);
        break;
      }
      case fieldOf.graph.input:
      case fieldOf.graph.output:
      case fieldOf.graph.valueInfo: {
        const value = readFields(field.content);
        shapes.set(nameOf(value, fieldOf.valueInfo.name), readShape(value));
        break;
      }
    }
  }
  return { fields, nodes, makers, constants, shapes };
}

export const nameOf = (fields: readonly Field[], number: number): string =>
  readText(findField(fields, number)?.content ?? new Uint8Array());

function readNode(content: Uint8Array): Node {
  const fields = readFields(content);
  return {
    fields,
    operator: nameOf(fields, fieldOf.node.operator),
    inputs: listTexts(fields, fieldOf.node.input),
    outputs: listTexts(fields, fieldOf.node.output),
  };
}

function readShape(value: readonly Field[]): number[] {
  const shape = enter(
    enter(enter(value, fieldOf.valueInfo.type), fieldOf.type.tensor),
    fieldOf.tensorType.shape,
  );
  return shape
    .filter(({ number }) => number === fieldOf.shape.dim)
    .map(({ content }) => findField(readFields(content), fieldOf.dim.value)?.integer ?? -1);
}

function enter(fields: readonly Field[], number: number): Field[] {
  const field = findField(fields, number);
  return field ? readFields(field.content) : [];
}

export function findConstant(name: string, { makers, constants }: Graph): readonly Field[] {
  const maker = makers.get(name);
  if (maker?.operator !== 'Constant') return constants.get(name) ?? [];
  return enter(enter(maker.fields, fieldOf.node.attribute), fieldOf.attribute.tensor);
}

/** Returns an empty list if the tensor does not contain 64-bit integers. */
export function readIntegers(tensor: readonly Field[]): number[] {
  if (findField(tensor, fieldOf.tensor.type)?.integer !== elementType.int64) return [];
  const raw = findField(tensor, fieldOf.tensor.raw)?.content;
  if (!raw) return listIntegers(tensor, fieldOf.tensor.int64s);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  return Array.from({ length: raw.length >> 3 }, (_, index) => Number(view.getBigInt64(index * 8, true)));
}
