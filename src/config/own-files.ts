import { closeSync, constants, fchmodSync, lchownSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file that holds the JWT secret when none is configured. */
export function ownJwtSecretFile(directory: string): string {
  return join(directory, '.jwt_secret');
}

/** The files of the self-signed certificate. */
export function selfSignedFiles(directory: string): { readonly cert: string; readonly key: string } {
  return { cert: join(directory, 'tls', 'self-signed.pem'), key: join(directory, 'tls', 'self-signed.key') };
}

/** What root makes for the gate belongs to whom the directory belongs to: the gate may be another user. */
export function giveToOwner(directory: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  lchownSync(path, uid, gid);
}

/**
 * Makes a file of the gate private, and a new one so from its first moment on, for the owner of its directory.
 * @throws the system's error
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    giveToOwner(dirname(path), path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // A link that leads nowhere is not followed: it would make a file of root's wherever it leads.
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  fchmodSync(file, 0o600);
  closeSync(file);
}

/**
 * Explains what to do when a file cannot be used because it, or the directory where it should be made, is another user's.
 * @param whole `directory`: everything there is the gate's
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
