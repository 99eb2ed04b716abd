/**
 * Content Security Policy of our pages: same-origin resources only. The policy protects the API key, which is in the
 * browser storage that all pages of this origin share. `inlineStyles` are hashes of styles that a page's own scripts
 * add.
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
