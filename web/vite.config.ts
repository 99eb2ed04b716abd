/** Builds the Studio page into web/dist: hashed names, nothing inline, so that the strictest policy fits it. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// A page built from within a test would otherwise be a development build, and a third larger.
process.env.NODE_ENV = 'production';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/studio/',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
