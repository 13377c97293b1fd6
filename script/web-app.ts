import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { languages } from '../src/language/language.ts';
import { serverSections, texts } from '../src/language/texts.ts';

const web = join(import.meta.dirname, '..', 'src', 'web');

const icons = [
  { name: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable.png', sizes: '512x512', purpose: 'maskable' },
] as const;

/**
 * The page's own metadata: a web app manifest (W3C Web Application Manifest) in each language, and icons. Their names carry a hash, as
 * those of all assets; that of the manifests is the same, since the page names the one of its language (`{{language}}`).
 * @param folder of the assets, below the output
 */
export function webApp(folder: string): Plugin {
  const files = new Map<string, string | Buffer>();
  const hashOf = (content: string | Buffer) =>
    createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const icon = (name: string) => {
    const content = readFileSync(join(web, 'icons', name));
    const hashed = name.replace('.', `-${hashOf(content)}.`);
    files.set(hashed, content);
    return hashed;
  };
  const manifests = languages.map((language) =>
    JSON.stringify({
      name: 'Postern',
      short_name: 'Postern',
      description: texts[language].site.description,
      lang: language,
      // Relative to the manifest itself: Home, and Postern's own pages. The recorder's open over the installed app.
      start_url: '../',
      scope: '../',
      display: 'standalone',
      background_color: '#f6f3ec',
      theme_color: '#1f6f5e',
      icons: icons.map(({ name, sizes, purpose }) => ({
        src: icon(name),
        sizes,
        purpose,
        type: 'image/png',
      })),
    }),
  );
  const manifestOf = (language: string) => `app-${language}-${hashOf(manifests.join(''))}.webmanifest`;
  for (const [index, language] of languages.entries())
    files.set(manifestOf(language), manifests[index] ?? '');
  const links = [
    // A proxy in front that logs users in needs its cookie for this too.
    `<link rel="manifest" href="./${folder}/${manifestOf('{{language}}')}" crossorigin="use-credentials" />`,
    `<link rel="apple-touch-icon" href="./${folder}/${icon('apple-touch-icon.png')}" />`,
  ];
  return {
    name: 'web-app',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => withLateStyles(html).replace('</head>', `  ${links.join('\n    ')}\n  </head>`),
    },
    generateBundle() {
      for (const [name, source] of files)
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
    },
  };
}

/** Keeps the texts of the server out of the scripts. */
export function uiTexts(): Plugin {
  return {
    name: 'ui-texts',
    enforce: 'pre',
    transform: (code, id) => {
      if (!id.startsWith(join(web, 'locales'))) return undefined;
      const sections = Object.entries(JSON.parse(code) as Record<string, unknown>);
      const isShown = ([name]: [string, unknown]) => !serverSections.some((other) => other === name);
      return JSON.stringify(Object.fromEntries(sections.filter(isShown)));
    },
  };
}

/**
 * Lists the scripts of each page and language that are loaded on demand, in `page-scripts.json`: a visit that begins there loads them in
 * parallel with the first one.
 */
export function pageScripts(): Plugin {
  const lazyPages = readFileSync(join(web, 'lazy-pages.tsx'), 'utf8');
  const pages = [...lazyPages.matchAll(/'(\/[\w/]+)': \(\) =>\s+import\('\.\/([^']+)'\)/g)];
  return {
    name: 'page-scripts',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const importsOf = (name: string) => chunks.find(({ fileName }) => fileName === name)?.imports ?? [];
      const closure = (names: Iterable<string>) => {
        const found = new Set(names);
        for (const name of found) for (const other of importsOf(name)) found.add(other);
        return found;
      };
      const first = closure(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
      const scriptsOf = (module: string) => {
        const own = chunks.find(({ moduleIds }) => moduleIds.includes(join(web, module)));
        if (own === undefined) this.error(`no script has ${module}`);
        return [...closure([own.fileName]).difference(first)].map((name) => `./${name}`);
      };
      const scripts = {
        pages: Object.fromEntries(pages.map(([, path = '', module = '']) => [path, scriptsOf(module)])),
        languages: Object.fromEntries(
          languages.map((language) => [language, scriptsOf(`locales/${language}.json`)]),
        ),
      };
      this.emitFile({
        type: 'asset',
        fileName: 'page-scripts.json',
        source: JSON.stringify(scripts),
      });
    },
  };
}

/** Writes `.br` and `.gz` beside every asset, so that the gateway never compresses while it serves. */
export function compressAssets(output: string): Plugin {
  return {
    name: 'compress-assets',
    writeBundle: () => {
      const assets = join(output, 'postern', 'assets');
      // A picture and a font are compressed already.
      for (const name of readdirSync(assets).filter((file) => !/\.(?:br|gz|png|woff2)$/.test(file))) {
        const file = join(assets, name);
        // Names carry a hash: what is there is the same.
        if (existsSync(`${file}.gz`)) continue;
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

/** Styles hold up what follows them, so that they come after the frame: browsers paint it at once. Scripts wait for them. */
function withLateStyles(html: string): string {
  const [link = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  return html.replace(link, '').replace('</body>', `  ${link}\n  </body>`);
}
