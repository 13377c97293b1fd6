import { preact } from '@preact/preset-vite';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** Writes `.br` and `.gz` beside every asset, so that the gateway never compresses while it serves. */
const precompress = (output: string): Plugin => ({
  name: 'precompress',
  writeBundle: () => {
    const assets = join(output, 'postern', 'assets');
    for (const name of readdirSync(assets).filter((file) => !/\.(?:br|gz)$/.test(file))) {
      const file = join(assets, name);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
});

const pageLanguage = (language: string): Plugin => ({
  name: 'page-language',
  transformIndexHtml: (html) => html.replace('<html lang="en"', `<html lang="${language}"`),
});

/** A build for the language that `mode` names: a catalogue that came in a file of its own would be one more request. */
export default defineConfig(({ mode }) => {
  const output = join(import.meta.dirname, 'dist', 'web', mode);
  return {
    root: join(import.meta.dirname, 'src', 'web'),
    // Relative, so that the UI works below any path prefix.
    base: './',
    // A build of its own for each place: two checkouts may share node_modules.
    cacheDir: join(import.meta.dirname, 'dist', '.vite'),
    // package.json says by it which catalogue `#catalogue` is.
    resolve: { conditions: [mode, ...defaultClientConditions] },
    plugins: [preact(), pageLanguage(mode), precompress(output)],
    build: {
      outDir: output,
      emptyOutDir: true,
      // Not `assets`, which a recorder's own UI has.
      assetsDir: 'postern/assets',
      // What is inlined would need a weaker Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      // What these do not know yet (`light-dark()`, nesting) is written in older words.
      cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    },
  };
});
