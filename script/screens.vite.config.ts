import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressAssets } from './web-app.ts';

const output = join(import.meta.dirname, '..', 'dist', 'web');
const assetsDir = 'postern/assets';

/**
 * The wall: a build of its own, since a tablet on a wall keeps the browser it came with. It adds to
 * the folder of the other, which therefore comes first.
 */
export default defineConfig({
  root: join(import.meta.dirname, '..', 'src', 'web', 'screen'),
  base: './',
  cacheDir: join(import.meta.dirname, '..', 'dist', '.vite'),
  publicDir: false,
  plugins: [compressAssets(output)],
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
      output: {
        entryFileNames: `${assetsDir}/screen-[hash].js`,
        chunkFileNames: `${assetsDir}/screen-[name]-[hash].js`,
        assetFileNames: (file) =>
          file.names.some((name) => name.endsWith('.css'))
            ? `${assetsDir}/screen-[hash][extname]`
            : // The font, with the name that it has in the other build.
              `${assetsDir}/[name][extname]`,
      },
    },
  },
});
