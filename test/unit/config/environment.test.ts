import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenSecret } from '../../../src/config/environment.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';
import { problemsOf } from './resolve-document.ts';

const name = 'SERVICE_SECRET';

/** A machine with a text in some of the places. */
function machine({ variable, file }: { readonly variable?: string; readonly file?: string }) {
  const directory = temporaryDirectory();
  const path = join(directory, name);
  if (file !== undefined) writeFileSync(path, file);
  const environment = { CREDENTIALS_DIRECTORY: directory, ...(variable && { [name]: variable }) };
  return { path, environment };
}

test('reads a secret from the environment, or else from the secret file', () => {
  const { environment, path } = machine({ variable: 'one', file: 'other' });
  const source = `the environment variable ${name}`;
  expect(givenSecret(environment, name)).toEqual({ secret: 'one', source });
  expect(givenSecret({ ...environment, [name]: '' }, name)).toEqual({ secret: '', source });
  expect(givenSecret({ ...environment, [name]: undefined }, name)).toEqual({ secret: 'other', source: path });
  expect(givenSecret(machine({}).environment, name)).toBeUndefined();
  expect(givenSecret({ CREDENTIALS_DIRECTORY: '/dev/null' }, name)).toBeUndefined();
});

test.each([
  ['s3cret\n', 's3cret'],
  ['s3cret\r\n', 's3cret'],
  [' s3\ncret \n\n', ' s3\ncret \n'],
  ['\n', ''],
])('reads the text %j of a secret file as %j', (file, secret) => {
  expect(givenSecret(machine({ file }).environment, name)?.secret).toBe(secret);
});

test('reports an unreadable secret file, also for a key that names it', () => {
  const { environment, path } = machine({});
  mkdirSync(path);
  expect(() => givenSecret(environment, name)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      message: `${path}: found a file that cannot be read (EISDIR), allowed is a readable file, or none`,
    }),
  );
  const document = { proxy: { auth_secret: `{${name}}` }, upstream: 7 };
  const paths = problemsOf(document, environment).map((problem) => problem.path);
  expect(paths.toSorted()).toEqual(['proxy.auth_secret', 'upstream']);
});
