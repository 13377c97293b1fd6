import { expect, test } from 'vitest';
import type { Attention, Findings } from '../../../../../src/web/api-client.ts';
import { selfCheck } from '../../../../../src/web/pages/first-run/first-run.ts';
import { saferAddress } from '../../../../../src/web/ui/recorder/safer-address.ts';

const request: Findings['request'] = {
  entry_point: 'authenticated',
  address: '192.168.1.7',
  secure: true,
  host: null,
};
const checkOf = (name: Findings['checks'][number]['name'], result: Findings['checks'][number]['result']) => ({
  name,
  result,
  seen: [],
});
const told = (kind: Attention['kind'], level: Attention['level'] = 'problem'): Attention => ({
  kind,
  level,
  page: null,
  detail: {},
});
const well = { checks: [checkOf('configuration', 'ok'), checkOf('certificate', 'none')], request };

test('all is well when no check, no request and nothing on Home says otherwise', () => {
  expect(selfCheck(well, [])).toEqual({ problems: [], worse: 0 });
});

test.each<[kind: Attention['kind']]>([
  ['password_generated'],
  ['session_not_refreshed'],
  ['provider_fault'],
  ['alerts_lost'],
])('%s on Home is a problem here too', (kind) => {
  expect(selfCheck(well, [told(kind)])).toEqual({ problems: [told(kind)], worse: 1 });
});

test.each<[kind: Attention['kind'], name: Findings['checks'][number]['name']]>([
  ['reload_failed', 'configuration'],
  ['certificate_ends', 'certificate'],
  ['recorder_away', 'recorder'],
  ['role_unverified', 'roles'],
])('%s is counted once, by its check', (kind, name) => {
  const found = selfCheck({ checks: [checkOf(name, 'fault')], request }, [told(kind)]);
  expect(found).toEqual({ problems: [], worse: 1 });
});

test('hints of Home are no problems: they wait for an answer', () => {
  expect(selfCheck(well, [told('access_asked', 'hint'), told('first_run', 'hint')]).worse).toBe(0);
});

test('neither is a request that came unencrypted well, nor a check with a hint', () => {
  expect(selfCheck({ ...well, request: { ...request, secure: false } }, []).worse).toBe(1);
  expect(selfCheck({ checks: [checkOf('roles', 'hint')], request }, []).worse).toBe(1);
});

test.each<[address: string, safer: string | undefined]>([
  ['http://192.168.1.20:5000', 'http://192.168.1.20:8971'],
  ['http://recorder', 'http://recorder:8971'],
  ['http://[fd00::1]:5000', 'http://[fd00::1]:8971'],
  ['http://192.168.1.20:8971', undefined],
  ['unix:/run/recorder.sock', undefined],
  ['http://', undefined],
])('beside %s there is %s', (address, safer) => {
  expect(saferAddress(address)).toBe(safer);
});
