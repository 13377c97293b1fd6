import { appendFileSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { languages } from '../src/language/language.ts';

const root = join(import.meta.dirname, '..');

/** Programs of the bundle, by name below `dist`. What two of them share is in a file of its own there. */
const programs = {
  main: 'src/main.ts',
  postern: 'src/cli/postern.ts',
  'key-derivation-thread': 'src/identity/users/key-derivation-thread.ts',
  health: 'script/container/health.ts',
  certificate: 'script/container/certificate.ts',
};

/** Builds the UI into dist/web, once in each language, and the programs with all packages into dist, when something they are made from is newer. */
export async function build(): Promise<void> {
  const always = ['package-lock.json', 'script/build.ts'];
  const ofUi = [
    ...always,
    'package.json',
    'vite.config.ts',
    'script/web-app.ts',
    'script/screens.vite.config.ts',
    ...globSync(['src/web/**/*.*', 'src/language/**/*.ts'], { cwd: root }),
  ];
  const ofPrograms = [...always, ...globSync(['src/**/*.ts', 'script/container/*.ts'], { cwd: root })].filter(
    (source) => !source.startsWith('src/web/'),
  );
  if (!languages.every((language) => isCurrent(`dist/web/${language}/screen.html`, ofUi))) await buildUi();
  if (!isCurrent('dist/main.js', ofPrograms)) await buildPrograms();
  // Marks when everything was up to date: script/setup ignores older files.
  writeFileSync(join(root, 'dist', 'built'), '');
}

/** @param directory where the paths begin */
export function isCurrent(built: string, sources: readonly string[], directory = root): boolean {
  // Milliseconds since the epoch; 0 when there is no such file.
  const modified = (path: string) => statSync(join(directory, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const since = modified(built);
  return since > 0 && sources.every((source) => modified(source) <= since);
}

async function buildUi(): Promise<void> {
  const vite = await import('vite');
  // Otherwise the caller's NODE_ENV would decide: tests would get a development build.
  const former = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  for (const mode of languages)
    for (const file of ['vite.config.ts', 'script/screens.vite.config.ts'])
      await vite.build({ configFile: join(root, file), mode, logLevel: 'warn' });
  if (former === undefined) delete process.env['NODE_ENV'];
  else process.env['NODE_ENV'] = former;
}

async function buildPrograms(): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // A start reads these few files, instead of hundreds of sources and packages.
    ssr: { noExternal: true },
    plugins: [slimChunks()],
    build: {
      ssr: true,
      target: 'node24',
      sourcemap: true,
      outDir: 'dist',
      // Keeps the UI, which is there too.
      emptyOutDir: false,
      license: { fileName: 'licences.md' },
      rolldownOptions: {
        input: programs,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared-[name].js',
          // V8 keeps the source: without comments an idle gate takes 2.7 MiB less. Lines stay, since a trace without source maps names them.
          comments: false,
        },
      },
    },
  });
  addFontLicence();
}

/** The bundler lists packages alone. */
function addFontLicence(): void {
  const licence = readFileSync(join(root, 'src', 'web', 'font', 'OFL.txt'), 'utf8');
  appendFileSync(join(root, 'dist', 'licences.md'), `\n## Figtree (OFL-1.1)\n\n${licence}`);
}

/** What V8 and Node keep in memory of the programs: the first saves an idle gate 5 MiB, the second 3 MiB. */
function slimChunks(): Plugin {
  return {
    name: 'slim-chunks',
    generateBundle: (_, bundle) => {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = inAscii(withoutReadingAllNames(file.code));
    },
  };
}

/** `import … from 'node:http'` reads every name that it exports, and behind some of them Node loads a fetch of its own. */
function withoutReadingAllNames(code: string): string {
  return code.replace(
    /^import (?:\* as )?(\w+|\{.*\}) from "(node:[\w/]+)";$/gm,
    (_, names: string, id: string) =>
      `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${id}");`,
  );
}

/** V8 keeps the source, with two bytes for each character when a single one is not ASCII. */
function inAscii(code: string): string {
  return code.replace(
    /[^\x00-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

if (import.meta.main) await build();
