// bill-of-materials.ts
// Writes dist/sbom.cdx.json (CycloneDX 1.5): what dist contains, no less and no more. `npm sbom` does not: of the packages for
// production some are not in the bundle, those of the UI are for development, and it leaves out what both kinds share. Without a serial
// number and a time it is the same wherever it is made.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

interface Locked {
  readonly version: string;
  readonly license?: string;
  /** As of Subresource Integrity. */
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Of the project itself. */
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };
const { name, version, description, license } = read('package.json') as Record<string, string>;

const nameAt = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const refAt = (path: string) =>
  path === '' ? `${name}@${version}` : `${nameAt(path)}@${packages[path]?.version}`;
const sorted = (texts: Iterable<string>) => [...new Set(texts)].toSorted();

const bundled = new Set(bundledPackages(root).map((found) => `${found.name}@${found.version}`));
const shipped = Object.keys(packages).filter((path) => path !== '' && bundled.has(refAt(path)));
const missing = bundled.difference(new Set(shipped.map(refAt)));
if (missing.size > 0) throw new Error(`not in package-lock.json: ${[...missing].join(', ')}`);

/** @returns the path at which Node finds a dependency of the package at `from`; undefined if it is not installed */
function findPackage(dependency: string, from: string): string | undefined {
  for (let place = from; ; place = dirname(place)) {
    const path = join(place, 'node_modules', dependency);
    if (packages[path] !== undefined) return path;
    if (place === '' || place === '.') return undefined;
  }
}

/** The dependencies of a package that are in the bundle. */
function dependenciesOf(path: string): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = packages[path] ?? {};
  const asked = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...devDependencies };
  const names = Object.keys(asked);
  const paths = names.flatMap((dependency) => findPackage(dependency, path) ?? []);
  return sorted(paths.map(refAt).filter((ref) => bundled.has(ref)));
}

function component(path: string): object {
  const { integrity = '', license: terms = '' } = packages[path] ?? {};
  const [, algorithm, digest = ''] = /^sha(\d+)-(.*)$/.exec(integrity) ?? [];
  if (algorithm === undefined) throw new Error(`package-lock.json has no hash of ${path}`);
  return {
    'bom-ref': refAt(path),
    type: 'library',
    name: nameAt(path),
    version: packages[path]?.version,
    scope: 'required',
    hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: [/^[\w.+-]+$/.test(terms) ? { license: { id: terms } } : { expression: terms }],
    purl: `pkg:npm/${nameAt(path).replace('@', '%40')}@${packages[path]?.version}`,
  };
}

const font = 'figtree';
const byRef = new Map(shipped.map((path) => [refAt(path), path]));
const refs = sorted(byRef.keys());
const bill = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      'bom-ref': refAt(''),
      type: 'application',
      name,
      version,
      description,
      licenses: [{ license: { id: license } }],
    },
  },
  components: [
    ...refs.map((ref) => component(byRef.get(ref) ?? '')),
    { 'bom-ref': font, type: 'file', name: 'Figtree', licenses: [{ license: { id: 'OFL-1.1' } }] },
  ],
  dependencies: [
    { ref: refAt(''), dependsOn: [...dependenciesOf(''), font] },
    ...refs.map((ref) => ({ ref, dependsOn: dependenciesOf(byRef.get(ref) ?? '') })),
  ],
};
writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);
