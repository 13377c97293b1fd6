import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { selfSignedFiles, giveToOwner } from '../../config/own-files.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { NoFileError, readText } from '../../config/read-file.ts';
import { isCutPem } from '../../config/whole-secret.ts';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

const validDays = 825;

/**
 * The certificate for operators who configure none: made once, kept in `<directory>/tls`, and made again when it has expired
 * or cannot be used. If it cannot be written, it lasts until the next start.
 * @param now milliseconds since the epoch
 * @param warn called when it is replaced, and when it cannot be written
 * @param isSure whether `now` is; otherwise only a pair that cannot be used is replaced
 */
export async function selfSignedCertificate(
  directory: string,
  now: number,
  warn: (message: string) => void = () => undefined,
  isSure = true,
): Promise<Certificate> {
  const files = selfSignedFiles(directory);
  if (existsSync(files.cert) && existsSync(files.key)) {
    const kept = readPair(files);
    const broken = kept === undefined ? 'no pair of files' : faultOf(kept)?.[1];
    const over = kept === undefined || broken !== undefined ? undefined : validityFault(kept, now);
    if (kept !== undefined && broken === undefined && (over === undefined || !isSure)) {
      if (over !== undefined) warn(`kept the self-signed certificate, which ${over}: the clock may be wrong`);
      return kept;
    }
    warn(`replaced the self-signed certificate, which ${over ?? `is ${broken}`}`);
  }
  const made = await makeCertificate(now);
  try {
    const place = join(directory, 'tls');
    if (mkdirSync(place, { recursive: true, mode: 0o700 }) !== undefined) giveToOwner(directory, place);
    // The key first: a certificate without its key would look like a complete pair.
    replaceFile(files.key, made.key);
    replaceFile(files.cert, made.cert);
  } catch (error) {
    const { message } = error as Error;
    warn(`${files.cert} cannot be written (${message}): the next start makes another certificate`);
  }
  return made;
}

/** @returns undefined when something else stands in place of a file: it is replaced */
function readPair({ cert, key }: Certificate): Certificate | undefined {
  try {
    return { cert: readText(cert), key: readText(key) };
  } catch (error) {
    if (error instanceof NoFileError) return undefined;
    throw error;
  }
}

/** @returns the fault of a pair, and which part has it, or `undefined` if there is none */
function faultOf({ cert, key }: Certificate): readonly ['certificate' | 'key' | 'pair', string] | undefined {
  try {
    void new X509Certificate(cert);
  } catch {
    return ['certificate', 'no certificate'];
  }
  // A chain that was cut off in its second certificate has a good first one.
  if (isCutPem(cert)) return ['certificate', 'cut off or damaged'];
  try {
    createPrivateKey(key);
  } catch {
    return ['key', 'no private key, or one with a passphrase'];
  }
  if (isCutPem(key)) return ['key', 'cut off or damaged'];
  try {
    createSecureContext({ cert, key });
  } catch {
    return ['pair', 'a certificate and the key of another'];
  }
  return undefined;
}

/** @returns when a certificate expires, in milliseconds since the epoch */
export function endOf({ cert }: Pick<Certificate, 'cert'>): number {
  return new X509Certificate(cert).validToDate.getTime();
}

function validityFault({ cert }: Certificate, now: number): string | undefined {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  if (now < validFromDate.getTime()) return `is not valid before ${validFromDate.toISOString()}`;
  if (now > validToDate.getTime()) return `has expired on ${validToDate.toISOString()}`;
  return undefined;
}

async function makeCertificate(now: number): Promise<Certificate> {
  // It loads slowly, and most starts do not need it.
  const { generate } = await import('selfsigned');
  const notAfterDate = new Date(now + validDays * 86_400_000);
  const dnsNames = [...new Set(['localhost', hostname()])];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Postern' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now),
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
  try {
    // A pipe with that name would wait for a reader.
    rmSync(`${path}.new`, { force: true });
    writeFileSync(`${path}.new`, text, { flag: 'wx', mode: 0o600 });
    giveToOwner(dirname(path), `${path}.new`);
    renameSync(`${path}.new`, path);
  } finally {
    rmSync(`${path}.new`, { force: true });
  }
}

/**
 * The operator's certificate, or the self-signed one.
 * @param files omitted when the configuration names none
 * @param now milliseconds since the epoch
 * @param isSure as for the self-signed one
 * @param warn called for faults that do not prevent the start: some clients accept an expired certificate
 * @throws ConfigurationError when a file cannot be read or used
 */
export async function findCertificate(
  files: Readonly<Record<'certificate' | 'key', string>> | undefined,
  directory: string,
  { now, isSure = true }: { readonly now: number; readonly isSure?: boolean },
  warn: (message: string) => void,
): Promise<Certificate> {
  if (files === undefined) return selfSignedCertificate(directory, now, warn, isSure);
  const read = (key: 'certificate' | 'key') => {
    try {
      return readText(files[key]);
    } catch (error) {
      const found = `${files[key]}, a file that cannot be read (${(error as NodeJS.ErrnoException).code})`;
      throw new ConfigurationError([{ path: `tls.${key}`, found, allowed: 'a readable PEM file' }]);
    }
  };
  const certificate = { cert: read('certificate'), key: read('key') };
  const fault = faultOf(certificate);
  if (fault !== undefined) {
    const [part, what] = fault;
    const [path, found] =
      part === 'pair' ? ['tls', what] : [`tls.${part}`, `${files[part]}, which is ${what}`];
    throw new ConfigurationError([{ path, found, allowed: 'a PEM chain and its own key' }]);
  }
  const validity = validityFault(certificate, now);
  if (validity !== undefined) warn(`tls.certificate: ${files.certificate} ${validity}`);
  return certificate;
}
