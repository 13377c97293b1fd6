import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { selfSignedCertificate } from '../../../../src/http/tls/certificate.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const inDays = (days: number) => now + days * 86_400_000;

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'postern-certificate-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('makes a certificate for the names of this machine', async () => {
  const { cert, key } = await selfSignedCertificate(directory, now);
  const certificate = new X509Certificate(cert);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('::1')).toBe('::1');
  expect(certificate.checkHost('evil.test')).toBeUndefined();
  expect(certificate.ca).toBe(false);
  expect([certificate.validFromDate, certificate.validToDate]).toEqual([
    new Date(now),
    new Date(inDays(825)),
  ]);
});

test('makes files that only their owner may read', async () => {
  await selfSignedCertificate(directory, now);
  const tls = join(directory, 'tls');
  const files = readdirSync(tls).toSorted();
  expect(files).toEqual(['self-signed.key', 'self-signed.pem']);
  expect(files.map((file) => statSync(join(tls, file)).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(statSync(tls).mode & 0o777).toBe(0o700);
});

test.each<[what: string, days: number, removed: string | undefined, kept: boolean]>([
  ['kept', 1, undefined, true],
  ['kept on its last day', 824, undefined, true],
  ['made again when it has expired', 826, undefined, false],
  ['made again when its key is missing', 1, 'self-signed.key', false],
  ['made again when it is missing', 1, 'self-signed.pem', false],
])('%s', async (_, days, removed, kept) => {
  const first = await selfSignedCertificate(directory, now);
  if (removed !== undefined) rmSync(join(directory, 'tls', removed));
  const second = await selfSignedCertificate(directory, inDays(days));
  expect(second.cert === first.cert && second.key === first.key).toBe(kept);
  expect(new X509Certificate(second.cert).checkPrivateKey(createPrivateKey(second.key))).toBe(true);
  expect(await selfSignedCertificate(directory, inDays(days))).toEqual(second);
});

test.each<[what: string, cert: (good: string) => string, days: number]>([
  ['is garbage', () => 'x', 1],
  ['is of another key', () => '', 1],
  ['is of a clock that was ahead', (good) => good, -10],
])('one that %s is made again', async (_, spoil, days) => {
  const file = join(directory, 'tls', 'self-signed.pem');
  const first = await selfSignedCertificate(directory, now);
  const elsewhere = mkdtempSync(join(directory, 'other-'));
  const other = await selfSignedCertificate(elsewhere, now);
  writeFileSync(file, spoil(first.cert) || other.cert);
  const second = await selfSignedCertificate(directory, inDays(days));
  expect([first.cert, other.cert, 'x']).not.toContain(second.cert);
  expect(new X509Certificate(second.cert).checkPrivateKey(createPrivateKey(second.key))).toBe(true);
});

test.each([826, -10])('by a clock that may be wrong, it is kept (%d days), with a line', async (days) => {
  const lines: string[] = [];
  const first = await selfSignedCertificate(directory, now);
  const at = (isSure: boolean) =>
    selfSignedCertificate(directory, inDays(days), (line) => void lines.push(line), isSure);
  expect(await at(false)).toEqual(first);
  expect(lines).toEqual([expect.stringMatching(/^kept the self-signed certificate, which (has|is) /)]);
  expect(await at(true)).not.toEqual(first);
  expect(lines[1]).toMatch(/^replaced the self-signed certificate, which (has expired|is not valid before)/);
  expect(lines).toHaveLength(2);
});
