import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frigateFault, readFrigateNow } from '../../../src/cli/adopt-fault.ts';
import { linesOf } from '../../../src/adopt/check.ts';
import type { UnreadReason } from '../../../src/recorder/configuration-answer.ts';
import type { RecorderSays } from '../../../src/recorder/try-recorder.ts';

const before = 'cameras: { yard: {} }\n';
const adopted = (more = '') => `cameras: { yard: {} }
auth: { enabled: false }
proxy: { header_map: { user: remote-user, role: remote-role }, auth_secret: same }
${more || 'tls: { enabled: false }'}
`;

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'postern-fault-'));
  path = join(directory, 'config.yml');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const unread = (fault: UnreadReason, detail?: string): RecorderSays => ({
  read: { fault, ...(detail !== undefined && { detail }) },
  roleForAdmin: undefined,
  isEveryoneAdmin: false,
});
const asRole = (roleForAdmin: string | undefined, isEveryoneAdmin = false): RecorderSays => ({
  read: { configuration: {} } as RecorderSays['read'],
  roleForAdmin,
  isEveryoneAdmin,
});

describe('the first step that is missing', () => {
  test.each<[what: string, text: string | undefined, says: RecorderSays, sentence: RegExp | undefined]>([
    ['nothing', adopted(), asRole('admin'), undefined],
    ['nothing, of a release that tells no role', adopted(), asRole(undefined), undefined],
    [
      'Frigate is away',
      adopted(),
      unread('no_answer', 'ECONNREFUSED'),
      /at http:.* \(ECONNREFUSED\): start it/,
    ],
    ['a restart, TLS being on', adopted(), unread('speaks_tls'), /TLS on at .*: restart Frigate/],
    ['TLS off', adopted('tls: { enabled: true }'), unread('speaks_tls'), /set tls\.enabled: false in \//],
    ['TLS off, by default', adopted('detectors: {}'), unread('speaks_tls'), /set tls\.enabled: false in \//],
    [
      'a restart, the login being on',
      adopted(),
      unread('asks_for_login', '401'),
      /sign-in at .*: restart Fri/,
    ],
    [
      'the same secret',
      adopted().replace('same', 'other'),
      unread('asks_for_login', '401'),
      /another secret than Postern: set proxy\.auth_secret in \//,
    ],
    ['no secret', adopted().replace(', auth_secret: same', ''), unread('asks_for_login'), /another secret/],
    [
      'a secret that is a variable',
      adopted().replace('same', '"{FRIGATE_SECRET}"'),
      unread('asks_for_login'),
      /restart Frigate.*must be recorder\.auth_secret/,
    ],
    ["adopt's own text", before, unread('asks_for_login'), /set auth\.enabled: false/],
    ['a file to look at', undefined, unread('asks_for_login'), /restart it; .*must be recorder\.auth_secret/],
    ['a file to look at, with TLS', undefined, unread('speaks_tls'), /restart it; .*tls\.enabled: false/],
    ['the list of headers', adopted(), asRole('closed'), /mount \/.*postern_trusted_headers\.conf at/],
    ['the list of headers, and a user too', adopted(), asRole('closed', true), /mount \/.*headers\.conf at/],
    ['another port', adopted(), asRole('admin', true), /treats everyone as admin/],
    ['cameras', adopted(), unread('no_configuration'), /no configuration of a recorder/],
  ])('is %s', (_, text, says, sentence) => {
    if (text !== undefined) writeFileSync(path, text);
    const file = text === undefined ? undefined : readFrigateNow(path);
    expect(file === undefined).toBe(text === undefined);
    const said = frigateFault({ says, upstream: 'http://frigate:8971', secret: 'same', file });
    if (sentence === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(sentence);
    for (const secret of ['same', 'other']) expect(said ?? '').not.toMatch(new RegExp(`: ${secret}\\b`));
  });

  test.each(['speaks_tls', 'asks_for_login'] as const)('is to move the new file into place: %s', (fault) => {
    writeFileSync(path, before);
    writeFileSync(`${path}.postern`, adopted());
    const file = readFrigateNow(path);
    rmSync(`${path}.postern`);
    const said = frigateFault({ says: unread(fault), upstream: 'http://frigate:8971', secret: 'same', file });
    expect(said).toContain(`mv ${path}.postern ${path}`);
  });
});

test('a fault that several users have is said once', () => {
  const fault = { isFault: true, what: 'no page' };
  expect(
    linesOf([
      { ...fault, who: 'ada (admin)' },
      { isFault: false, who: 'vera (viewer)', what: 'the page' },
      { ...fault, who: 'olaf (family)' },
      { isFault: false, who: 'finn (friend)', what: 'the page' },
    ]),
  ).toEqual([
    'FAULT  ada (admin), olaf (family): no page',
    'ok     vera (viewer): the page',
    'ok     finn (friend): the page',
  ]);
});
