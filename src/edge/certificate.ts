import { ConfigurationError } from '../config/problem.ts';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { generate } from 'selfsigned';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const validDays = 825;

/**
 * The certificate that is used when the operator gives none: made once, kept in `<directory>/tls`,
 * made anew when it expires.
 */
export async function selfSignedCertificate(directory: string, now: Date): Promise<Certificate> {
  const files = selfSignedFiles(directory);
  if (existsSync(files.cert) && existsSync(files.key)) {
    const kept = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
    if (new X509Certificate(kept.cert).validToDate > now) return kept;
  }
  const made = await makeCertificate(now);
  mkdirSync(join(directory, 'tls'), { recursive: true, mode: 0o700 });
  // The key first: a certificate without its key would be taken for a complete pair.
  replaceFile(files.key, made.key);
  replaceFile(files.cert, made.cert);
  return made;
}

/** Where that certificate and its key are, whether they were made or not. */
export function selfSignedFiles(directory: string): Certificate {
  return { cert: join(directory, 'tls', 'self-signed.pem'), key: join(directory, 'tls', 'self-signed.key') };
}

async function makeCertificate(now: Date): Promise<Certificate> {
  const notAfterDate = new Date(now.getTime() + validDays * 86_400_000);
  const dnsNames = [...new Set(['localhost', hostname()])];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Postern' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: now,
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...dnsNames.map((value) => ({ type: 2 as const, value })),
          { type: 7 as const, ip: '127.0.0.1' },
          { type: 7 as const, ip: '::1' },
        ],
      },
    ],
  });
  return { cert, key };
}

function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * The operator's certificate, or the self-signed one.
 * @param files undefined when the configuration names none
 * @throws ConfigurationError when a file cannot be read
 */
export async function findCertificate(
  files: Readonly<Record<'certificate' | 'key', string>> | undefined,
  directory: string,
  now: Date,
): Promise<Certificate> {
  if (files === undefined) return selfSignedCertificate(directory, now);
  const read = (key: 'certificate' | 'key') => {
    try {
      return readFileSync(files[key], 'utf8');
    } catch (error) {
      const found = `a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
      throw new ConfigurationError([{ path: `tls.${key}`, found, allowed: 'a readable PEM file' }]);
    }
  };
  const certificate = { cert: read('certificate'), key: read('key') };
  try {
    createSecureContext(certificate);
  } catch {
    throw new ConfigurationError([
      {
        path: 'tls',
        found: 'a certificate and a key that cannot be used',
        allowed: 'a PEM chain and its own key',
      },
    ]);
  }
  return certificate;
}
