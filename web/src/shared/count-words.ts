/** `1 photo`, `40 photos`. */
export function countWords(many: number, what: string): string {
  return `${many.toLocaleString('en')} ${what}${many === 1 ? '' : 's'}`;
}
