/**
 * Builds the Studio page into web/dist, with hashed file names, and without inline scripts and styles, so that the
 * content security policy can be as strict as possible.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// Inside a test, Vite would otherwise make a development build, which is a third larger.
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
