import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../config/problem.ts';

/**
 * The certificates that the recorder may present.
 * @returns PEM
 * @throws ConfigurationError when the file cannot be read or contains none
 */
export function readRecorderCertificate(file: string): string {
  const refuse = (found: string): never => {
    throw new ConfigurationError([
      {
        path: 'recorder.certificate',
        found: `${file}, ${found}`,
        allowed: 'a readable PEM file with a certificate',
      },
    ]);
  };
  let pem = '';
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    refuse(`a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    if (certificatesIn(pem).length === 0) refuse('which has no certificate in it');
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    refuse('which has something else for a certificate in it');
  }
  return pem;
}

/** @throws when one of them is not a certificate */
export function certificatesIn(pem: string): X509Certificate[] {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return parts.map((part) => new X509Certificate(part));
}
