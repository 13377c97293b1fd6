import { closeSync, constants, fchmodSync, lchownSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireFileOrNone } from './read-file.ts';

/** The file that holds the JWT secret when none is configured. */
export function ownJwtSecretFile(directory: string): string {
  return join(directory, '.jwt_secret');
}

/** The name, beside config.yml, of the schema by which editors complete and check it. */
export const schemaName = 'config.schema.json';

/** The files of the self-signed certificate. */
export function selfSignedFiles(directory: string): { readonly cert: string; readonly key: string } {
  return { cert: join(directory, 'tls', 'self-signed.pem'), key: join(directory, 'tls', 'self-signed.key') };
}

/** Gives a file that root has made to the owner of the directory: the gate may run as that user. */
export function giveToOwner(directory: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  lchownSync(path, uid, gid);
}

/**
 * Makes a file readable only by the owner of its directory, from the moment it is created.
 * @throws the system's error
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    giveToOwner(dirname(path), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  requireFileOrNone(path);
  // Don't follow a link that leads nowhere: root would create a file at its target.
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/**
 * Explains what to do when the gate cannot use a file because it, or its directory, belongs to another user.
 * @param whole `directory` when everything there belongs to the gate
 * @returns a text for the end of a message; empty when that is not the reason
 */
export function ownerAdvice(path: string, whole: 'file' | 'directory'): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  const owner = ownerOf(path) ?? (whole === 'directory' ? ownerOf(dirname(path)) : undefined);
  if (owner === undefined || owner === user) return '';
  const what = whole === 'directory' ? `-R ${user}:${group} ${dirname(path)}` : `${user}:${group} ${path}`;
  return `; it belongs to user ${owner}, and this is user ${user}: as root, chown ${what}`;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
