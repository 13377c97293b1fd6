import { expect, test } from 'vitest';
import { globalDenial } from '../../../src/policy/global-denial.ts';

const request = {
  entryPoint: 'authenticated',
  front: 'embedded',
  peer: '10.0.0.7',
  method: 'GET',
  uri: '/',
  headers: ['Host', 'evil.example'],
  host: 'evil.example',
} as const;
const refuse = (changes: object, listed: readonly string[] = []) =>
  globalDenial({ ...request, ...changes }, new Set(listed));

test.each(['TRACE', 'CONNECT', 'trace', 'Connect'])('%s', (method) => {
  expect(refuse({ method })).toBe('method_refused');
  expect(refuse({ method, entryPoint: 'internal' })).toBe('method_refused');
});

test.each(['GET', 'TRACER', 'XTRACE', '', undefined])('not %s', (method) => {
  expect(refuse({ method })).toBeUndefined();
});

test('checks the host on the internal entry point only', () => {
  expect(refuse({})).toBeUndefined();
  expect(refuse({ entryPoint: 'internal' })).toBe('host_unknown');
  expect(refuse({ entryPoint: 'internal' }, ['evil.example'])).toBeUndefined();
});

test('requires a host, and every named host to be known', () => {
  const named = (headers: readonly string[], host: string | undefined) =>
    refuse({ entryPoint: 'internal', peer: undefined, headers, host });
  expect(named(['Host', 'localhost'], 'localhost')).toBeUndefined();
  expect(named(['Host', 'localhost', 'Host', 'evil.example'], 'localhost')).toBe('host_unknown');
  expect(named(['Host', 'localhost', 'X-Forwarded-Host', 'evil.example'], 'localhost')).toBe('host_unknown');
  expect(named(['Host', 'evil.example', 'X-Forwarded-Host', 'localhost'], 'localhost')).toBe('host_unknown');
  expect(named([], undefined)).toBe('host_unknown');
});
