import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findJwtSecret } from '../../../src/accounts/sessions/jwt-secret.ts';
import { firstAdminPassword } from '../../../src/accounts/users/bootstrap.ts';
import { storeKeyOf } from '../../../src/config/resolve-store.ts';
import { isCutPem } from '../../../src/config/whole-secret.ts';
import {
  findCertificate,
  selfSignedCertificate,
  type Certificate,
} from '../../../src/http/tls/certificate.ts';
import { readRecorderCertificate } from '../../../src/recorder/upstream-pool.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { resolve } from './resolve-document.ts';

type Environment = Readonly<Record<string, string>>;

/** A text in the environment, or in the secret file of that name. */
const inVariable = (name: string, text: string): Environment => ({ [name]: text });
function inFile(name: string, text: string): Environment {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, name), text);
  return { CREDENTIALS_DIRECTORY: directory };
}

function jwtSecretIn(file: 'options.json' | '.jwt_secret', text: string) {
  const root = temporaryDirectory();
  writeFileSync(join(root, file), text);
  const places = {
    CREDENTIALS_DIRECTORY: join(root, 'secrets'),
    SERVICE_OPTIONS_FILE: join(root, 'options.json'),
  };
  return findJwtSecret(places, root);
}

const resolved = (document: object, environment: Environment = {}) => resolve(document, environment);
const provider = { issuer: 'https://id.example', client_id: 'cameras' };
const withProvider = (more: object) => ({
  public_url: 'https://cameras.example',
  auth: { oidc: { ...provider, ...more } },
});
const hook = (secret: string) => ({
  notifications: { targets: [{ type: 'webhook', url: 'https://home.example/hook', secret }] },
});

/** Every place of a secret, and how it is read there. */
const places: ReadonlyArray<readonly [place: string, read: (secret: string) => unknown]> = [
  ['JWT: environment', (secret) => findJwtSecret(inVariable('SERVICE_JWT_SECRET', secret), '/nowhere')],
  ['JWT: credentials', (secret) => findJwtSecret(inFile('SERVICE_JWT_SECRET', secret), '/nowhere')],
  ['JWT: add-on option', (secret) => jwtSecretIn('options.json', JSON.stringify({ jwt_secret: secret }))],
  ['JWT: .jwt_secret', (secret) => jwtSecretIn('.jwt_secret', secret)],
  ['store key', (secret) => storeKeyOf(inFile('SERVICE_STORE_KEY', secret))],
  ['admin password', (secret) => firstAdminPassword(inFile('SERVICE_ADMIN_PASSWORD', secret), [])],
  ['OIDC: secret file', (secret) => resolved(withProvider({}), inFile('SERVICE_OIDC_SECRET', secret))],
  ['OIDC: config.yml', (secret) => resolved(withProvider({ client_secret: secret }))],
  [
    'OIDC: placeholder',
    (secret) => resolved(withProvider({ client_secret: '{SERVICE_O}' }), inFile('SERVICE_O', secret)),
  ],
  ['proxy', (secret) => resolved({ proxy: { auth_secret: '{SERVICE_P}' } }, inFile('SERVICE_P', secret))],
  [
    'recorder',
    (secret) => resolved({ recorder: { auth_secret: '{FRIGATE_R}' } }, inFile('FRIGATE_R', secret)),
  ],
  ['fronts', (secret) => resolved({ fronts: { secret: '{SERVICE_F}' } }, inFile('SERVICE_F', secret))],
  ['an alert target', (secret) => resolved(hook('{SERVICE_H}'), inFile('SERVICE_H', secret))],
  [
    'password of the store',
    (secret) =>
      resolved({ store: { url: 'postgres://gate:{SERVICE_D}@db/gate' } }, inFile('SERVICE_D', secret)),
  ],
];

const good = 'a9'.repeat(40);
const faults: ReadonlyArray<readonly [what: string, secret: string]> = [
  ['NUL alone', '\0'.repeat(80)],
  ['NUL in the middle', `${good}\0${good}`],
  ['NUL at the end', `${good}\0\0\0`],
  ['NUL before the line break', `${good}\0\n`],
  ['a line break inside', `${good}\n${good}`],
  ['an escape', `${good}\u001b${good}`],
  ['a C1 control', `${good}\u0085${good}`],
];

describe.each(places)('%s', (place, read) => {
  test('a whole one is read', () => {
    expect(() => read(good)).not.toThrow();
  });

  test.each(faults)('%s stops the start', (_, secret) => {
    expect(() => read(secret)).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        message: expect.stringContaining('control character') as string,
      }),
    );
  });

  test.each([
    ['only NUL', '\0'.repeat(80)],
    ['only bytes of erased flash', '\uFFFD'.repeat(80)],
    ['only characters that no one sees', '\u200b\u00ad'.repeat(40)],
    ['nothing', ' '],
  ])('%s gets the sentence of an empty one', (_, secret) => {
    if (!place.startsWith('JWT')) return;
    expect(() => read(secret)).toThrow(/found an empty secret.*, allowed is a secret, or nothing at all/);
  });
});

describe('certificates and keys', () => {
  const made = () => selfSignedCertificate(temporaryDirectory(), Date.now());

  function load({ cert, key }: Certificate) {
    const directory = temporaryDirectory();
    const files = { certificate: join(directory, 'cert.pem'), key: join(directory, 'key.pem') };
    writeFileSync(files.certificate, cert);
    writeFileSync(files.key, key);
    return findCertificate(files, directory, { now: Date.now() }, () => undefined);
  }

  test.each<[what: string, change: (pair: Certificate) => Certificate, found: string]>([
    [
      'a chain cut in its second',
      ({ cert, key }) => ({ cert: cert + cert.slice(0, 80), key }),
      'tls.certificate',
    ],
    ['a chain with NUL behind', ({ cert, key }) => ({ cert: `${cert}\0\0`, key }), 'tls.certificate'],
    ['NUL alone', ({ key }) => ({ cert: '\0'.repeat(800), key }), 'tls.certificate'],
    ['a key cut', ({ cert, key }) => ({ cert, key: key.slice(0, -20) }), 'tls.key'],
    ['a key with NUL behind', ({ cert, key }) => ({ cert, key: `${key}\0` }), 'tls.key'],
  ])('%s stops the start', async (_, change, path) => {
    await expect(load(change(await made()))).rejects.toThrow(
      new RegExp(
        `^${path.replace('.', '\\.')}: found .*, which is (?:cut off or damaged|no certificate|no private key)`,
      ),
    );
  });

  test('a chain with comments is whole', async () => {
    const pair = await made();
    await expect(
      load({ ...pair, cert: `${pair.cert}\n# für uns\r\n\tdie Kette\r\n${pair.cert}` }),
    ).resolves.toBeDefined();
    expect(isCutPem('no PEM at all')).toBe(false);
  });

  test("the recorder's, cut in its second, is refused", async () => {
    const { cert } = await made();
    const file = join(temporaryDirectory(), 'recorder.pem');
    writeFileSync(file, cert + cert.slice(0, 80));
    expect(() => readRecorderCertificate(file)).toThrow('which is cut off or damaged');
  });
});
