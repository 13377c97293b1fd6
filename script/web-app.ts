import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import type { Catalogue } from '../src/language/en/index.ts';
import type { Language } from '../src/language/language.ts';

const web = join(import.meta.dirname, '..', 'src', 'web');

const icons = [
  { name: 'icon-192.png', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512.png', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable.png', sizes: '512x512', purpose: 'maskable' },
] as const;

/**
 * The page's own metadata, in its language: its texts (`{{section.name}}`), the web app manifest (W3C Web Application
 * Manifest) and its icons. Their names carry a hash, as those of all assets.
 * @param folder of the assets, below the output
 */
export function webApp(language: Language, catalogue: Catalogue, folder: string): Plugin {
  const files = new Map<string, Buffer>();
  const add = (name: string, content: Buffer) => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
    const hashed = name.replace('.', `-${hash}.`);
    files.set(hashed, content);
    return hashed;
  };
  const icon = (name: string) => add(name, readFileSync(join(web, 'icons', name)));
  const manifest = add(
    'app.webmanifest',
    Buffer.from(
      JSON.stringify({
        name: 'Postern',
        short_name: 'Postern',
        description: catalogue.site.description,
        lang: language,
        // Relative to the manifest itself: the pages, and the whole site below its prefix.
        start_url: '../',
        scope: '../../',
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
    ),
  );
  const links = [
    // A proxy in front that logs users in needs its cookie for this too.
    `<link rel="manifest" href="./${folder}/${manifest}" crossorigin="use-credentials" />`,
    `<link rel="apple-touch-icon" href="./${folder}/${icon('apple-touch-icon.png')}" />`,
  ];
  return {
    name: 'web-app',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        withLateStyles(translated(html, language, catalogue)).replace(
          '</head>',
          `  ${links.join('\n    ')}\n  </head>`,
        ),
    },
    generateBundle() {
      for (const [name, source] of files)
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
    },
  };
}

/** A page with its texts, and without an app around it. */
export function inLanguage(language: Language, catalogue: Catalogue): Plugin {
  return { name: 'in-language', transformIndexHtml: (html) => translated(html, language, catalogue) };
}

/**
 * Lists the scripts of each page that is loaded on demand, in `page-scripts.json`: a visit that begins there loads them in parallel with
 * the first one.
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
      const scripts = pages.map(([, path = '', module = '']) => {
        const own = chunks.find(({ moduleIds }) => moduleIds.includes(join(web, module)));
        if (own === undefined) this.error(`no script has ${module}`);
        const names = [...closure([own.fileName]).difference(first)];
        return [path, names.map((name) => `./${name}`)] as const;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'page-scripts.json',
        source: JSON.stringify(Object.fromEntries(scripts)),
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

function translated(html: string, language: Language, catalogue: Catalogue): string {
  return html
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/\{\{site\.(\w+)\}\}/g, (_, name: string) => textIn(catalogue.site, name));
}

function textIn(section: Catalogue['site'], name: string): string {
  const found: unknown = Object.entries(section).find(([key]) => key === name)?.[1];
  if (typeof found !== 'string') throw new Error(`no text site.${name}`);
  return found;
}
