// bill-of-materials.ts
// Writes dist/sbom.cdx.json (CycloneDX): what dist contains, no less and no more. Of npm's bill of the lock file it takes what the
// builds list, since some packages for production are only in part in the bundle or not at all, and those of the UI are for
// development. Without a serial number, a time and the tool's version, it is the same wherever it is made.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
}

interface Bill {
  readonly $schema: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component & Record<string, unknown> };
  readonly components: readonly (Component & Record<string, unknown>)[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const root = join(import.meta.dirname, '..');
const output = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1_024 ** 2,
});
const ofLockFile = JSON.parse(output) as Bill;
const bundled = new Set(bundledPackages(root).map(({ name, version }) => `${name}@${version}`));
const shipped = ofLockFile.components.filter(({ name, version }) => bundled.has(`${name}@${version}`));
const missing = bundled.difference(new Set(shipped.map(({ name, version }) => `${name}@${version}`)));
if (missing.size > 0) throw new Error(`not in package-lock.json: ${[...missing].join(', ')}`);

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
};
const program = ofLockFile.metadata.component;
const font = {
  'bom-ref': 'figtree',
  type: 'file',
  name: 'Figtree',
  licenses: [{ license: { id: 'OFL-1.1' } }],
};
const refs = new Set([program, ...shipped].map((component) => component['bom-ref']));
const bill = {
  $schema: ofLockFile.$schema,
  bomFormat: 'CycloneDX',
  specVersion: ofLockFile.specVersion,
  version: 1,
  metadata: {
    // npm gives it the name of its directory.
    component: { ...program, type: 'application', name, version, properties: undefined },
  },
  // In the bundle all are alike: that the lock file has some for development alone is no property of theirs here.
  components: [...sorted(shipped).map(asShipped), font],
  dependencies: ofLockFile.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({
      ref,
      dependsOn: [
        ...dependsOn.filter((other) => refs.has(other)).toSorted(),
        ...(ref === program['bom-ref'] ? [font['bom-ref']] : []),
      ],
    }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
};
writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`);

function sorted<C extends Component>(components: readonly C[]): C[] {
  return components.toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
}

function asShipped(component: Component): object {
  return { ...component, scope: 'required', properties: undefined };
}
