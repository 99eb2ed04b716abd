/**
 * Makes ISNet, which was exported for one input size, accept any size. Each `Resize` with a constant target size gets a
 * constant factor instead, and the input and output sizes become dynamic.
 *
 * One set of weights can then run at several resolutions. Nodes that the requested output does not depend on are removed;
 * otherwise, each run would also compute the unused outputs.
 */
import {
  elementType,
  type Field,
  fieldOf,
  findField,
  integerField,
  listTexts,
  mapFields,
  type Parts,
  readFields,
  readText,
  textField,
  wrap,
} from './onnx-graph.ts';

/** Names of the input picture and the requested output plane. */
interface NetworkEnds {
  readonly input: string;
  readonly output: string;
}

interface Node {
  readonly fields: readonly Field[];
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** For each named value, the node that computes it, and the field that states its shape. */
interface Named {
  readonly makers: ReadonlyMap<string, Node>;
  readonly infos: ReadonlyMap<string, Field>;
}

/** A `Resize` with a constant factor. */
interface Scaling {
  readonly inputs: readonly string[];
  readonly node: Parts;
  /** The initializer with the factors. */
  readonly factors: Parts;
}

/** Throws if the bytes are not an ONNX file, or if a `Resize` does not get its target size as ISNet's do. */
export const freeInputSize = (model: Uint8Array, ends: NetworkEnds): Uint8Array =>
  Buffer.concat(mapFields(model, { [fieldOf.model.graph]: (graph) => freeGraph(readFields(graph), ends) }));

function freeGraph(graph: readonly Field[], { input, output }: NetworkEnds): Parts {
  const nodes = new Map(
    graph.filter(({ number }) => number === fieldOf.graph.node).map((field) => [field, readNode(field)]),
  );
  const makers = new Map([...nodes.values()].flatMap((node) => node.outputs.map((name) => [name, node])));
  const infos = new Map(
    graph
      .filter(({ number }) => number === fieldOf.graph.valueInfo)
      .map((field) => [nameOf(field, fieldOf.valueInfo.name), field]),
  );
  const scalings = new Map<Node, Scaling>();
  const needed = new Set<string>();
  const due = [output];
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    const node = makers.get(name);
    if (node?.operator === 'Resize')
      scalings.set(node, scaleResize(node, { makers, infos }, `packshot_factor_${scalings.size}`));
    due.push(...(((node && scalings.get(node)) ?? node)?.inputs.filter((each) => each !== '') ?? []));
  }
  const parts = graph.flatMap((field): Parts => {
    switch (field.number) {
      case fieldOf.graph.node: {
        const node = nodes.get(field)!;
        return node.outputs.some((name) => needed.has(name)) ? (scalings.get(node)?.node ?? [field.raw]) : [];
      }
      case fieldOf.graph.initializer:
        return needed.has(nameOf(field, fieldOf.tensor.name)) ? [field.raw] : [];
      case fieldOf.graph.input:
        return nameOf(field, fieldOf.valueInfo.name) === input ? freeSides(field) : [field.raw];
      case fieldOf.graph.output:
        return nameOf(field, fieldOf.valueInfo.name) === output ? freeSides(field) : [];
      // The runtime infers the shapes of intermediate values.
      case fieldOf.graph.valueInfo:
        return [];
      default:
        return [field.raw];
    }
  });
  return [...parts, ...[...scalings.values()].flatMap(({ factors }) => factors)];
}

function readNode({ content }: Field): Node {
  const fields = readFields(content);
  return {
    fields,
    operator: readText(findField(fields, fieldOf.node.operator)!.content),
    inputs: listTexts(fields, fieldOf.node.input),
    outputs: listTexts(fields, fieldOf.node.output),
  };
}

const nameOf = ({ content }: Field, number: number): string =>
  readText(findField(readFields(content), number)!.content);

function scaleResize({ fields, inputs }: Node, { makers, infos }: Named, name: string): Scaling {
  const [from = '', , , target = ''] = inputs;
  // PyTorch exports the target as the sizes of batch and channels, and a constant with height and width.
  const sides = readConstant(makers.get(makers.get(target)!.inputs.at(-1)!)!);
  const [, , ...fromSides] = readShape(infos.get(from)!);
  const values = Float32Array.from([1, 1, ...sides.map((side, axis) => side / fromSides[axis]!)]);
  const names = [from, '', name].map((each) => textField(fieldOf.node.input, each));
  const rest = fields.filter(({ number }) => number !== fieldOf.node.input).map(({ raw }) => raw);
  return {
    inputs: [from, name],
    node: wrap(fieldOf.graph.node, [...names, ...rest]),
    factors: wrap(fieldOf.graph.initializer, [
      integerField(fieldOf.tensor.dims, values.length),
      integerField(fieldOf.tensor.type, elementType.float32),
      textField(fieldOf.tensor.name, name),
      ...wrap(fieldOf.tensor.raw, [new Uint8Array(values.buffer)]),
    ]),
  };
}

/** The integers of a `Constant`. */
function readConstant({ fields }: Node): number[] {
  const tensor = enter(fields, fieldOf.node.attribute, fieldOf.attribute.tensor);
  const bytes = new Uint8Array(findField(tensor, fieldOf.tensor.raw)!.content);
  return [...new BigInt64Array(bytes.buffer)].map(Number);
}

const readShape = ({ content }: Field): (number | undefined)[] =>
  enter(readFields(content), fieldOf.valueInfo.type, fieldOf.type.tensor, fieldOf.tensorType.shape).map(
    (dim) => findField(readFields(dim.content), fieldOf.dim.value)?.integer,
  );

const enter = (fields: readonly Field[], ...path: readonly number[]): readonly Field[] =>
  path.reduce((within, number) => readFields(findField(within, number)!.content), fields);

/** Makes the last two dimensions (height and width) of an input or output dynamic. */
const freeSides = ({ number, content }: Field): Parts => {
  const freeShape = (shape: Uint8Array): Parts =>
    readFields(shape).flatMap((dim, axis) => (axis < 2 ? [dim.raw] : wrap(fieldOf.shape.dim, [])));
  const freeTensor = (tensor: Uint8Array) => mapFields(tensor, { [fieldOf.tensorType.shape]: freeShape });
  const freeType = (type: Uint8Array) => mapFields(type, { [fieldOf.type.tensor]: freeTensor });
  return wrap(number, mapFields(content, { [fieldOf.valueInfo.type]: freeType }));
};
