import { join } from 'node:path';

/** The file that holds the JWT secret when none is configured. */
export function ownJwtSecretFile(directory: string): string {
  return join(directory, '.jwt_secret');
}

/** The files of the self-signed certificate. */
export function selfSignedFiles(directory: string): { readonly cert: string; readonly key: string } {
  return { cert: join(directory, 'tls', 'self-signed.pem'), key: join(directory, 'tls', 'self-signed.key') };
}
