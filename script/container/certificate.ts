// certificate.ts DIRECTORY
// Makes a self-signed certificate.pem and key.pem for nginx, if they are missing or its own expires soon.
// A certificate that someone else put there is never changed.
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';

const renewBefore = 30 * 86_400_000;

const directory = process.argv[2] ?? '.';
const files = { cert: join(directory, 'certificate.pem'), key: join(directory, 'key.pem') };

function isNeeded(): boolean {
  if (!existsSync(files.cert)) return !existsSync(files.key);
  const kept = new X509Certificate(readFileSync(files.cert));
  const isOurs = kept.subject === 'CN=Postern' && kept.issuer === kept.subject;
  return isOurs && kept.validToDate.getTime() < Date.now() + renewBefore;
}

function replaceFile(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}

if (isNeeded()) {
  const scratch = mkdtempSync(join(tmpdir(), 'postern-certificate-'));
  try {
    const made = await selfSignedCertificate(scratch, Date.now());
    mkdirSync(directory, { recursive: true, mode: 0o750 });
    // Its group is the front's, which reads it.
    replaceFile(files.key, made.key, 0o640);
    replaceFile(files.cert, made.cert, 0o644);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  process.stdout.write(`made a self-signed certificate: ${files.cert}\n`);
} else {
  process.stdout.write(`kept ${files.cert}\n`);
}
