/**
 * Rewrites a network from half precision (fp16) to single precision (fp32), which saves conversions. On a CPU, ONNX
 * Runtime computes in fp32 in any case. But between two computations, it converts to fp16 and back wherever an
 * operator, such as `Concat`, only moves numbers. Each of these conversions also rearranges the numbers twice: out of
 * the layout in which the CPU computes, and back into it.
 */
import { fromHalves } from './half-precision.ts';
import {
  elementType,
  type Field,
  fieldOf,
  findField,
  integerField,
  mapFields,
  type Parts,
  readFields,
  readText,
  wrap,
} from './onnx-graph.ts';

/**
 * The input and output of the network must be in fp32 already, and the file must not state the types of other values.
 */
export function widenNumbers(model: Uint8Array): Uint8Array {
  const graph = (content: Uint8Array): Parts =>
    mapFields(content, { [fieldOf.graph.node]: widenNode, [fieldOf.graph.initializer]: widenTensor });
  return Buffer.concat(mapFields(model, { [fieldOf.model.graph]: graph }));
}

/** In a node, only attributes mention number types: those with a constant, and the target type of a `Cast`. */
const widenNode = (node: Uint8Array): Parts => mapFields(node, { [fieldOf.node.attribute]: widenAttribute });

function widenAttribute(attribute: Uint8Array): Parts {
  const fields = readFields(attribute);
  const isTarget = readText(findField(fields, fieldOf.attribute.name)?.content ?? empty) === 'to';
  return fields.flatMap((field): Parts => {
    if (field.number === fieldOf.attribute.tensor) return wrap(field.number, widenTensor(field.content));
    return isTarget && field.number === fieldOf.attribute.integer ? [widenType(field)] : [field.raw];
  });
}

const empty = new Uint8Array();

const widenType = ({ number, integer, raw }: Field): Uint8Array =>
  integer === elementType.float16 ? integerField(number, elementType.float32) : raw;

function widenTensor(tensor: Uint8Array): Parts {
  const fields = readFields(tensor);
  if (findField(fields, fieldOf.tensor.type)?.integer !== elementType.float16) return [tensor];
  return fields.flatMap((field): Parts => {
    if (field.number === fieldOf.tensor.type) return [widenType(field)];
    return field.number === fieldOf.tensor.raw
      ? wrap(field.number, [widenFloats(field.content)])
      : [field.raw];
  });
}

function widenFloats(halves: Uint8Array): Uint8Array {
  // A copy, because the bytes in the file need not be aligned.
  return new Uint8Array(fromHalves(new Uint16Array(new Uint8Array(halves).buffer)).buffer);
}
