import { preact } from '@preact/preset-vite';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressAssets, pageScripts, uiTexts, webApp } from './script/web-app.ts';

// Not `assets`, which a recorder's own UI has.
const assetsDir = 'postern/assets';
const output = join(import.meta.dirname, 'dist', 'web');

interface ModuleFacts {
  readonly isEntry: boolean;
  /** Those that import it with `import()` are not among them. */
  readonly importers: readonly string[];
}

/** Whether a module is there before any page is asked for. All of them make one file: each other one is a request before there is anything to see. */
function isInFirstLoad(
  id: string,
  factsOf: (id: string) => ModuleFacts | null,
  seen = new Set<string>(),
): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const facts = factsOf(id);
  if (facts === null) return false;
  return facts.isEntry || facts.importers.some((importer) => isInFirstLoad(importer, factsOf, seen));
}

export default defineConfig({
  root: join(import.meta.dirname, 'src', 'web'),
  // Relative, so that the UI works below any path prefix.
  base: './',
  // A build of its own for each place: two checkouts may share node_modules.
  cacheDir: join(import.meta.dirname, 'dist', '.vite'),
  plugins: [preact(), uiTexts(), webApp(assetsDir), pageScripts(), compressAssets(output)],
  build: {
    outDir: output,
    emptyOutDir: true,
    assetsDir,
    // What is inlined would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    target: 'es2022',
    // What these do not know yet (`light-dark()`, nesting) is written in older words.
    cssTarget: ['chrome111', 'firefox113', 'safari16.4'],
    rolldownOptions: {
      // A slow machine is no fault of a plugin.
      checks: { pluginTimings: false },
      output: {
        // Pages outside the UI name the font: rename its file when it changes, since browsers keep it.
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.woff2'))
            ? `${assetsDir}/[name][extname]`
            : `${assetsDir}/[name]-[hash][extname]`,
        codeSplitting: {
          groups: [
            {
              name: (id, context) => (isInFirstLoad(id, (of) => context.getModuleInfo(of)) ? 'index' : null),
            },
          ],
        },
      },
    },
  },
});
