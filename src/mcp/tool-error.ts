/** A failure that the model can do something about. Its message says what, in one or two sentences. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
