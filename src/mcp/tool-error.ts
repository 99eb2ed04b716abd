/** An error that the calling model can correct. The message says how, in one or two sentences. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
