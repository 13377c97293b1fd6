import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../../../src/api/doctor/front/exchange.ts';
import type { SignedIn } from '../../../../src/api/doctor/front/examination.ts';
import { recorderDirect, recorderPorts } from '../../../../src/api/doctor/front/recorder-ports.ts';
import { freePort } from '../../../support/ports.ts';
import { startFrigatePort, type PortKind } from '../../../support/frigate-ports.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(join(tmpdir(), 'postern-ports-'))));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const knock: SignedIn['knock'] = (place, request) => exchange(place, request, 2_000);
const host = '127.0.0.1';
const front = { host, port: 1, tls: true };

function examined(ports: readonly number[], http?: number) {
  const recorder = ports.map((port) => ({ host, port, tls: false }));
  return recorderDirect.run({
    options: { front, http: http === undefined ? undefined : { host, port: http, tls: false }, recorder },
    knock,
  } as unknown as SignedIn);
}

describe('a port', () => {
  test.each<[kind: PortKind, tls: boolean, result: string, says: RegExp]>([
    ['openFrigate', false, 'FAULT', /Frigate, which lets everyone in/],
    ['openFrigate', true, 'FAULT', /Frigate, which lets everyone in/],
    ['frigateWithLogin', false, 'FAULT', /Frigate, with its own sign-in/],
    ['frigateWithLogin', true, 'FAULT', /Frigate, with its own sign-in/],
    ['go2rtc', false, 'FAULT', /^go2rtc/],
    ['go2rtcWithPassword', false, 'FAULT', /^go2rtc/],
    ['rtsp', false, 'FAULT', /streams by RTSP, without/],
    ['rtspWithPassword', false, 'info', /streams by RTSP, with a password/],
    ['anotherSite', false, 'info', /neither Frigate nor Postern/],
    ['anotherSite', true, 'info', /neither Frigate nor Postern/],
    ['silent', false, 'info', /neither Frigate nor Postern/],
  ])('of %s, with TLS %s: %s', async (kind, tls, result, says) => {
    await using server = await startFrigatePort(kind, directory, { tls });
    const [found] = await examined([Number(server.address.split(':')[1])]);
    expect(found).toMatchObject({ result, seen: expect.stringMatching(says) as string });
    if (result === 'FAULT') expect(found?.change).toContain(server.address);
  });

  test('at which nothing listens', async () => {
    const [found] = await examined([await freePort()]);
    expect(found).toMatchObject({ result: 'ok', seen: 'no answer' });
  });

  test('that users open is not asked', async () => {
    await using server = await startFrigatePort('openFrigate', directory);
    const port = Number(server.address.split(':')[1]);
    expect(await examined([front.port, port], port)).toEqual([]);
  });
});

test('the usual ports of the recorder are asked', () => {
  expect(recorderPorts).toEqual([8971, 8970, 1984, 8554, 8555]);
});
