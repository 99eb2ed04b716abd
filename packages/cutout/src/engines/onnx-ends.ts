/** Finds a model's input and output in its graph; rejects a graph that does not match the model's description. */
import type { InferenceSession } from '../onnxruntime.ts';
import type { ModelDescription } from './onnx-description.ts';
import { doesNotFit, type InputType } from './onnx-tensors.ts';

/** Throws `internal` if the graph does not match. The error's message says which names or sizes would match. */
export function findEnds(session: InferenceSession, { input, output }: ModelDescription) {
  const { inputMetadata, outputMetadata } = session;
  const names = inputMetadata.map(({ name }) => name).join(', ');
  if (inputMetadata.length !== 1)
    throw doesNotFit(
      `the model has ${inputMetadata.length} inputs (${names}); only one picture input is supported`,
    );
  const into = inputMetadata[0]!;
  if (input.name !== undefined && input.name !== into.name)
    throw doesNotFit(`input.name is ${input.name}, but the model's input is ${names}`);
  if (!into.isTensor || !['float32', 'float16'].includes(into.type))
    throw doesNotFit(
      `the model's input is ${into.isTensor ? into.type : 'no tensor'}; float32 and float16 are supported`,
    );
  checkShape(into.shape, input);

  const out =
    output.name === undefined
      ? outputMetadata[output.index ?? 0]
      : outputMetadata.find(({ name }) => name === output.name);
  if (!out)
    throw doesNotFit(
      `it has no output ${output.name ?? output.index}; the model's outputs are ${outputMetadata.map(({ name }) => name).join(', ')}`,
    );
  return { inputName: into.name, inputType: into.type as InputType, outputName: out.name };
}

function checkShape(shape: readonly (number | string)[], input: ModelDescription['input']): void {
  const { dynamic, width, height } = input;
  const wanted = [1, 3, height, width];
  // A size that is a name or a number below 1 is dynamic.
  const free = (size: number | string) => typeof size === 'string' || size < 1;
  if (shape.length !== 0 && shape.length !== 4)
    throw doesNotFit(`the model's input has ${shape.length} dimensions, not 4`);
  if (shape.every((size, i) => free(size) || size === wanted[i])) return;
  if (dynamic)
    throw doesNotFit(
      `the model's input is [${shape.join(', ')}], a fixed size: describe it by input.width and height instead of input.dynamic`,
    );
  throw doesNotFit(
    `the model's input is [${shape.join(', ')}], but input.width and height make [${wanted.join(', ')}]`,
  );
}
