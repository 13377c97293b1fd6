import { join } from 'node:path';
import { defaultClientConditions, defineConfig } from 'vite';
import { compressAssets, inLanguage } from './web-app.ts';
import * as german from '../src/language/de/index.ts';
import * as english from '../src/language/en/index.ts';

/**
 * The wall: a build of their own, since a tablet on a wall keeps the browser it came with. It adds to
 * the folder of the other, which therefore comes first.
 */
export default defineConfig(({ mode }) => {
  const { language, catalogue } = mode === 'de' ? german : english;
  const output = join(import.meta.dirname, '..', 'dist', 'web', language);
  const assetsDir = 'postern/assets';
  return {
    root: join(import.meta.dirname, '..', 'src', 'web', 'screen'),
    base: './',
    cacheDir: join(import.meta.dirname, '..', 'dist', '.vite'),
    publicDir: false,
    resolve: { conditions: [language, ...defaultClientConditions] },
    plugins: [inLanguage(language, catalogue), compressAssets(output)],
    build: {
      outDir: output,
      emptyOutDir: false,
      assetsDir,
      assetsInlineLimit: 0,
      modulePreload: false,
      cssCodeSplit: false,
      target: ['chrome80', 'safari13.1'],
      cssTarget: ['chrome80', 'safari13.1'],
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: join(import.meta.dirname, '..', 'src', 'web', 'screen', 'screen.html'),
        treeshake: { moduleSideEffects: (id) => !/\/src\/language\/(?:en|de)\//.test(id) },
        output: {
          entryFileNames: `${assetsDir}/screen-[hash].js`,
          chunkFileNames: `${assetsDir}/screen-[name]-[hash].js`,
          assetFileNames: (file) =>
            file.names.some((name) => name.endsWith('.css'))
              ? `${assetsDir}/screen-[hash][extname]`
              : `${assetsDir}/[name]-[hash][extname]`,
        },
      },
    },
  };
});
