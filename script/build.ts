import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundledPackages, packagesFile } from './bundled-packages.ts';

const root = join(import.meta.dirname, '..');

/** Programs of the bundle, by name below `dist`. Those of one build share files. */
const programs = {
  programs: {
    main: 'src/main.ts',
    postern: 'src/cli/postern.ts',
  },
  container: {
    health: 'script/container/health.ts',
    certificate: 'script/container/certificate.ts',
    'add-on': 'script/container/add-on.ts',
  },
};
/** Files that a program loads by their name. */
const loaded = {
  'key-derivation-thread': 'src/accounts/users/key-derivation-thread.ts',
  'add-on-gate': 'script/container/add-on-gate.ts',
};

const uiBuilds = { pages: 'vite.config.ts', screens: 'script/screens.vite.config.ts' };

/** Builds the UI into dist/web, and the programs with all packages into dist, when something they are made from is newer. */
export async function build(): Promise<void> {
  const always = ['package-lock.json', 'script/build.ts', 'script/bundled-packages.ts'];
  const ofUi = [
    ...always,
    'package.json',
    'vite.config.ts',
    'script/web-app.ts',
    'script/screens.vite.config.ts',
    ...globSync(['src/web/**/*.*', 'src/language/**/*.ts'], { cwd: root }),
  ];
  const ofPrograms = [
    ...always,
    ...globSync(['src/**/*.{ts,json}', 'script/container/*.ts'], { cwd: root }),
  ].filter((source) => !source.startsWith('src/web/') || source.startsWith('src/web/locales/'));
  // The lists of packages come last: a build that was cut off has none.
  const isUiCurrent = ['dist/web/screen.html', 'dist/packages/screens.json'].every((file) =>
    isCurrent(file, ofUi),
  );
  const areProgramsCurrent = ['dist/main.js', 'dist/packages/container.json'].every((file) =>
    isCurrent(file, ofPrograms),
  );
  await inProduction(async () => {
    if (!isUiCurrent) await buildUi();
    if (!areProgramsCurrent) {
      await buildPrograms('programs', loaded);
      await buildPrograms('container');
    }
  });
  if (!isUiCurrent || !areProgramsCurrent) writeLicences();
  // Marks when everything was up to date: script/setup ignores older files.
  writeFileSync(join(root, 'dist', 'built'), '');
}

/** Ignores the caller's NODE_ENV, by which tests would get a development build. */
async function inProduction(work: () => Promise<void>): Promise<void> {
  const former = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    if (former === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = former;
  }
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
  for (const [part, file] of Object.entries(uiBuilds)) {
    await vite.build({
      configFile: join(root, file),
      logLevel: 'warn',
      build: { license: { fileName: packagesFile } },
    });
    keepPackages('web', part);
  }
}

async function buildPrograms(
  part: keyof typeof programs,
  others: Record<string, string> = {},
): Promise<void> {
  const vite = await import('vite');
  const files = Object.entries(programs[part]);
  await vite.build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // Otherwise the place of a node_modules that several checkouts share would be in the bundle.
    resolve: { preserveSymlinks: true },
    // A start reads these few files, instead of hundreds of sources and packages.
    ssr: { noExternal: true },
    plugins: [slimChunks(), checksOfNode(Object.keys(programs[part]))],
    build: {
      ssr: true,
      target: 'node24',
      sourcemap: true,
      outDir: 'dist',
      // Keeps the UI, which is there too.
      emptyOutDir: false,
      license: { fileName: packagesFile },
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: { ...Object.fromEntries(files.map(([name, file]) => [programFile(name), file])), ...others },
        // No comments with the paths of the modules.
        experimental: { attachDebugInfo: 'none' },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: part === 'programs' ? 'shared-[name].js' : `${part}-[name].js`,
          // A start resolves and links each file.
          codeSplitting: {
            groups: [
              { name: (id, graph) => (isReadAtStart(id, graph) ? 'start' : undefined), minShareCount: 2 },
            ],
          },
          // V8 keeps the source: without comments an idle gate takes 2.7 MiB less. Lines stay, since a trace without source maps names them.
          comments: false,
        },
      },
    },
  });
  keepPackages('.', part);
}

/** Whether the gate imports a module when it starts, and not by `import()` when it needs it. */
function isReadAtStart(id: string, graph: ModuleGraph, above = new Set([id])): boolean {
  if (id === join(root, programs.programs.main)) return true;
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some(
    (importer) => !above.has(importer) && isReadAtStart(importer, graph, above.add(importer)),
  );
}

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null;
}

/** Moves the list of packages out of what a build made: the UI is public. */
function keepPackages(output: string, name: string): void {
  mkdirSync(join(root, 'dist', 'packages'), { recursive: true });
  renameSync(join(root, 'dist', output, packagesFile), join(root, 'dist', 'packages', `${name}.json`));
}

/** The licences of everything that programs and UI contain. */
function writeLicences(): void {
  const licences = bundledPackages(root).map(
    ({ name, version, identifier, text }) =>
      `\n## ${name} - ${version} (${identifier ?? 'no identifier'})\n${text === undefined ? '' : `\n${text}\n`}`,
  );
  const ofFont = readFileSync(join(root, 'src', 'web', 'font', 'OFL.txt'), 'utf8');
  const text = `# Licences\n\nPostern contains these packages:\n${licences.join('')}\n## Figtree (OFL-1.1)\n\n${ofFont}`;
  writeFileSync(join(root, 'dist', 'licences.md'), text);
}

const programFile = (name: string) => `${name}-program`;

/**
 * An older Node cannot even read the programs, so what is started checks it before it imports one.
 * Node 10 can read this text.
 */
function checksOfNode(names: readonly string[]): Plugin {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const needed = Number(/^>=(\d+)$/.exec(engines.node)?.[1]);
  const startOf = (name: string) => `#!/usr/bin/env node
if (parseInt(process.versions.node, 10) >= ${needed}) import("./${programFile(name)}.js");
else {
  console.error('Postern needs Node ${needed} or newer; ' + process.execPath + ' is ' + process.version + '. docs/systemd.md has how to get it.');
  process.exitCode = 1;
}
`;
  return {
    name: 'checks-of-node',
    generateBundle() {
      for (const name of names)
        this.emitFile({ type: 'asset', fileName: `${name}.js`, source: startOf(name) });
    },
  };
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
