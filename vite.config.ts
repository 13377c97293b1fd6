import { preact } from '@preact/preset-vite';
import { join } from 'node:path';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { compressAssets, pageScripts, webApp } from './script/web-app.ts';
import * as german from './src/language/de/index.ts';
import * as english from './src/language/en/index.ts';

// Not `assets`, which a recorder's own UI has.
const assetsDir = 'postern/assets';

/** Vite's own helper looks for styles of a page and preloads: 1 KB as gzip for what no page here has. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

// A page with a few rows needs no table.
const isList = (id: string) =>
  id.includes('/src/web/ui/lists/') &&
  !/\/(?:row|use-rows|use-pages|use-filters|list-search|list-page|word-search|focus-near)\.tsx?$/.test(id);
/** What is loaded together is one file: many small ones are more requests, and compress badly. */
const together: Readonly<Record<string, RegExp>> = {
  'access-page': /\/pages\/roles\/access-|\/language\/..\/access\./,
  'camera-choice': /\/ui\/cameras\/camera-(?:choice|picks)/,
  copy: /\/ui\/(?:copied-text|shown-once)|\/language\/..\/copying/,
  displays: /\/ui\/displays\/displays-api|\/language\/..\/displays\./,
  event:
    /\/ui\/events\/(?:event-(?:details|media)|looked-up-event|shown-event|use-arrow-keys|copy-link)|\/pages\/event\//,
  invitations: /\/pages\/users\/(?:invite|open-invitations)/,
  'own-lists': /\/pages\/account\/own-(?:sessions|tokens)|\/pages\/account\/add-token/,
  // Few visits want a proof: no page brings it along.
  proof:
    /\/ui\/sign-in\/(?:proof-form|passkeys|step-up-dialog)|\/pages\/login\/second-step|\/language\/..\/proofs/,
  // Roles are looked at more often than changed.
  'role-changes':
    /\/pages\/roles\/(?:role-dialogs|group-dialogs|roles-at|camera-|schedule-fields|role-panel|plain-panel|cell-panel|change-text|role-draft)|\/language\/..\/camera-groups/,
  'role-text': /\/language\/..\/(?:role-dialogs|may-fields)|\/ui\/roles\/(?:role-form|schedule\.|may-fields)/,
  roles: /\/ui\/roles\/(?:panes|role-access|role-path|is-reserved)|\/language\/..\/roles\./,
  'schedule-text': /\/ui\/roles\/schedule-text/,
  sessions:
    /\/ui\/sessions\/(?:watching\.|stream-list|stopped|stop-menu|session-|use-sessions)|\/language\/..\/sessions/,
  shares: /\/ui\/shares\/(?!share-(?:button|limit))|\/language\/..\/shares/,
  // Users have roles, whose own pages are others.
  'user-roles': /\/ui\/roles\/(?:change-roles|counted-users)/,
  tokens: /\/ui\/accounts\/(?:token-row|revoke-token)|\/language\/..\/(?:new-)?tokens?\./,
};
const isText = (id: string) => /\/src\/language\/(?:en|de)\//.test(id);

interface ModuleFacts {
  readonly isEntry: boolean;
  /** Those that import it with `import()` are not among them. */
  readonly importers: readonly string[];
}

/**
 * Whether a module is there before any page is asked for. All of them make one file: by its own rules the builder makes files of
 * what such modules share with the pages that come later, each one more request before there is anything to see.
 */
function isInFirstLoad(
  id: string,
  factsOf: (id: string) => ModuleFacts | undefined,
  seen = new Set<string>(),
): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  const facts = factsOf(id);
  if (facts === undefined) return false;
  return facts.isEntry || facts.importers.some((importer) => isInFirstLoad(importer, factsOf, seen));
}

/** A build for the language that `mode` names: a catalogue that came in a file of its own would be one more request. */
export default defineConfig(({ mode }) => {
  const { language, catalogue } = mode === 'de' ? german : english;
  const output = join(import.meta.dirname, 'dist', 'web', language);
  return {
    root: join(import.meta.dirname, 'src', 'web'),
    // Relative, so that the UI works below any path prefix.
    base: './',
    // A build of its own for each place: two checkouts may share node_modules.
    cacheDir: join(import.meta.dirname, 'dist', '.vite'),
    // package.json says by it which catalogue `#catalogue` is.
    resolve: { conditions: [language, ...defaultClientConditions] },
    plugins: [
      preact(),
      plainImports,
      webApp(language, catalogue, assetsDir),
      pageScripts(),
      compressAssets(output),
    ],
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
        // A section of texts is in the file of the pages that read it. Only `text.section.name` says which: what takes `text` apart
        // takes all of it.
        treeshake: { moduleSideEffects: (id) => !isText(id) },
        output: {
          codeSplitting: {
            groups: [
              {
                debugName: 'first load',
                name: (id, context) =>
                  !isText(id) && isInFirstLoad(id, (of) => context.getModuleInfo(of) ?? undefined)
                    ? 'index'
                    : null,
              },
              ...Object.entries(together).map(([name, test]) => ({
                name,
                test,
                includeDependenciesRecursively: false,
              })),
              // Too small for files of their own.
              { name: 'later', test: /turn-text|agent-text|\/many-cameras|\/language\/..\/capabilities/ },
              // What many of the later pages share, in place of a file each. A group takes along what its files import, so that
              // this one comes before the next.
              {
                name: 'later',
                minShareCount: 3,
                test: (id) => !isText(id) && !isList(id),
              },
              // Of pages with a list alone.
              { name: 'lists', test: isList },
            ],
          },
        },
      },
    },
  };
});
