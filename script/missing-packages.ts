// Ends with 1 when packages of package-lock.json for this machine are not installed. npm leaves an optional one out without a word, when
// it excludes the Node that npm runs under or could not be fetched; what needs it ends much later.
import { existsSync, readFileSync } from 'node:fs';

interface Locked {
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const { header } = process.report.getReport() as unknown as {
  readonly header: { readonly glibcVersionRuntime?: string };
};
const libc = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';

const allows = (names: Locked['os'], name: string) => names === undefined || [names].flat().includes(name);

/** Those without a platform are either required, which npm sees to, or for WebAssembly. */
const isForThisMachine = ({ os, cpu, libc: libraries }: Locked) =>
  cpu !== undefined && allows(os, process.platform) && allows(cpu, process.arch) && allows(libraries, libc);

const missing = Object.entries(packages).filter(
  ([path, locked]) => isForThisMachine(locked) && !existsSync(`${path}/package.json`),
);
if (missing.length > 0) {
  process.stderr.write(
    `npm did not install ${missing.map(([path]) => path.replace(/.*node_modules\//, '')).join(', ')}.\n` +
      'Try again; if it stays away, the registry does not have it, or the settings that `npm config ls` shows exclude it.\n',
  );
  process.exitCode = 1;
}
