/** Quotes what a caller sent, in an error message. */

/** Enough to recognize the value; a response that repeats all of it could be as large as the body. */
const LONGEST_ECHO = 100;

export const cut = (text: string): string =>
  text.length > LONGEST_ECHO ? `${text.slice(0, LONGEST_ECHO - 1)}…` : text;

export const echo = (text: string): string => JSON.stringify(cut(text));
