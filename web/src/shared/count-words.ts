/** A number with its noun, such as `1 photo` or `40 photos`. */
export function countWords(many: number, what: string): string {
  return `${many.toLocaleString('en')} ${what}${many === 1 ? '' : 's'}`;
}
