import { isAbsolute, join, relative, resolve } from 'node:path';
import { ownJwtSecretFile, selfSignedFiles } from '../../config/own-files.ts';
import { activityPath, storePath } from '../sqlite/open-store.ts';

/** Everything a backup may hold, by its name there. */
export const fileNames = [
  'postern.db',
  'activity.db',
  'config.yml',
  '.jwt_secret',
  'self-signed.pem',
  'self-signed.key',
  'certificate.pem',
  'certificate.key',
  'proxy_trusted_headers.conf',
] as const;

export type FileName = (typeof fileNames)[number];

export function isDatabase(name: FileName): name is 'postern.db' | 'activity.db' {
  return name === 'postern.db' || name === 'activity.db';
}

/** Where the files of an installation are. */
export interface Installation {
  readonly directory: string;
  readonly trustedHeadersFile: string;
  /** `tls.certificate` and `tls.key`, if configured. */
  readonly tlsFiles: { readonly certificate: string; readonly key: string } | undefined;
}

/** @returns the path of each file, whether it exists or not */
export function pathsOf({
  directory,
  trustedHeadersFile,
  tlsFiles,
}: Installation): ReadonlyMap<FileName, string> {
  const selfSigned = selfSignedFiles(directory);
  const paths: Array<readonly [FileName, string]> = [
    ['postern.db', storePath(directory)],
    ['activity.db', activityPath(directory)],
    ['config.yml', join(directory, 'config.yml')],
    ['.jwt_secret', ownJwtSecretFile(directory)],
    ['self-signed.pem', selfSigned.cert],
    ['self-signed.key', selfSigned.key],
    ['proxy_trusted_headers.conf', trustedHeadersFile],
  ];
  if (tlsFiles !== undefined) {
    paths.push(['certificate.pem', tlsFiles.certificate], ['certificate.key', tlsFiles.key]);
  }
  return new Map(paths);
}

/** Compares the paths as text; links are not followed. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
