/**
 * What a page of ours may load: nothing that is not ours. One origin serves them all, and its storage holds the API key.
 * `inlineStyles` are hashes of styles that a page's own scripts write into it.
 */
export const pagePolicy = (inlineStyles: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...inlineStyles.map((hash) => `'${hash}'`)].join(' '),
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
