import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveConfiguration } from '../../../../src/config/resolve.ts';
import { doctorCommand } from '../../../../src/cli/doctor-command.ts';
import { faultsOr, finding, type Finding } from '../../../../src/api/doctor/check.ts';
import {
  type ReportRow,
  frontChecks,
  jsonReport,
  providerChecks,
  tableOf,
} from '../../../../src/api/doctor/examine.ts';
import { config } from '../../../../src/api/doctor/front/configuration-checks.ts';
import type { SignedIn } from '../../../../src/api/doctor/front/examination.ts';
import { recorderCameras, recorderRoles } from '../../../../src/api/doctor/front/recorder-checks.ts';
import { traversal } from '../../../../src/api/doctor/front/path-checks.ts';
import { projectRoot } from '../../../support/start-gateway.ts';

describe('docs/doctor.md', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'doctor.md'), 'utf8');
  const rowsOf = (section: string) =>
    [...(page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (`.*)\|$/gm)].map(
      ([, cells = '']) => cells.split(' | ').map((cell) => cell.trim()),
    );

  test.each([
    ['Probes', frontChecks],
    ['The provider of sign-on', providerChecks],
  ])('has every check under "%s", in the order in which they run, with its meaning', (section, checks) => {
    const rows = rowsOf(section);
    expect(rows.map(([name]) => name)).toEqual(checks.map(({ name }) => `\`${name}\``));
    for (const [, meaning] of rows) expect(meaning).toMatch(/\S \S.*\.$/);
  });

  test('has the options of the command, and no others', () => {
    const { options } = doctorCommand({ environment: {}, root: projectRoot });
    const known = options.filter(({ hidden }) => !hidden).map(({ flags }) => flags);
    const documented = [...page.matchAll(/^\| (`--.*?`) +\|/gm)].flatMap(([, cell = '']) =>
      cell.split('` `').map((flags) => flags.replaceAll('`', '')),
    );
    expect(documented.toSorted()).toEqual(known.toSorted());
  });

  test('shows lines of existing probes', () => {
    const names = [...page.matchAll(/^(?:ok|FAULT|skipped|info) +(\S+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    const known = new Set([...frontChecks, ...providerChecks].map(({ name }) => name));
    expect(names.filter((name = '') => !known.has(name))).toEqual([]);
  });
});

const row = (result: ReportRow['result'], probe: string, rest: Partial<ReportRow> = {}): ReportRow => ({
  result,
  probe,
  sent: 'GET /',
  expected: '401',
  seen: '200',
  ...rest,
});

describe('the table', () => {
  test('is aligned, and has what to change once, below the faults that it mends', () => {
    const rows = [
      row('ok', 'tls', { seen: '401' }),
      row('FAULT', 'login-required', { change: 'ask' }),
      row('FAULT', 'login-required', { sent: 'GET /x', change: 'ask' }),
      row('skipped', 'logout', { sent: '', expected: '', seen: 'no session' }),
    ];
    expect(tableOf(rows).split('\n')).toEqual([
      'First: ask (login-required)',
      '',
      'result   probe           sent    expected  seen',
      'ok       tls             GET /   401       401',
      'FAULT    login-required  GET /   401       200',
      'FAULT    login-required  GET /x  401       200',
      '         change: ask',
      'skipped  logout          no session',
      '',
      'faults found by login-required; skipped, in whole or in part: logout',
    ]);
  });

  test('reports that there is no fault', () => {
    expect(tableOf([row('ok', 'tls')])).toMatch(/\n\nno fault$/);
  });

  test('has no control characters', () => {
    const text = tableOf([row('FAULT', 'config', { sent: 'a\u001b[2Jb', seen: '\u009b', change: 'c\rd' })]);
    expect(text).toContain('a?[2Jb');
    expect(text).toContain('change: c?d');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('as JSON counts the rows with a fault', () => {
    const rows = [row('ok', 'tls'), row('FAULT', 'logout', { change: 'x' })];
    expect(JSON.parse(jsonReport(rows))).toEqual({ faults: 1, rows });
  });
});

test('a finding is a fault when there is something to change', () => {
  const line = { sent: 'GET /', expected: '401', seen: '200' };
  expect(finding('GET /', '401', '200', false)).toEqual({ result: 'ok', ...line });
  expect(finding('GET /', '401', '200', 'ask')).toEqual({ result: 'FAULT', ...line, change: 'ask' });
});

describe('a probe with several attempts', () => {
  const tried = (...results: ReadonlyArray<'ok' | 'FAULT'>): Finding[] =>
    results.map((result, index) => ({
      result,
      sent: `GET /${index}`,
      expected: '401',
      seen: result === 'ok' ? '401' : '200',
    }));

  test.each<[what: string, tried: readonly Finding[], lines: readonly string[]]>([
    ['nothing', [], []],
    ['only successes', tried('ok', 'ok'), ['ok all']],
    ['one fault', tried('ok', 'FAULT', 'ok'), ['FAULT GET /1']],
    ['four faults', tried('FAULT', 'FAULT', 'FAULT', 'FAULT'), [0, 1, 2, 3].map((n) => `FAULT GET /${n}`)],
    [
      'six faults',
      tried('FAULT', 'FAULT', 'FAULT', 'FAULT', 'FAULT', 'FAULT'),
      ['FAULT GET /0', 'FAULT GET /1', 'FAULT GET /2', 'FAULT GET /3, and 2 more'],
    ],
  ])('%s', (_, tried, lines) => {
    expect(faultsOr(tried, 'all').map(({ result, sent }) => `${result} ${sent}`)).toEqual(lines);
  });
});

describe('the probe of a configuration', () => {
  const context = {
    environment: {},
    trustedHeaders: new Set(['remote-user']),
    trustedHeadersFile: 'headers.conf',
  };
  const examined = (given: object) =>
    ({ options: { config: 'config.yml' }, context: { problems: [], ...given } }) as unknown as SignedIn;

  test('is skipped without a file', async () => {
    expect(await config.run({ options: {}, context: {} } as unknown as SignedIn)).toMatchObject([
      { result: 'skipped' },
    ]);
  });

  test('reports cameras that no custom role sees, and the warnings of the gate', async () => {
    const configuration = resolveConfiguration(
      {
        cameras: ['yard', 'garage'],
        auth: { roles: { family: ['yard'] }, failed_login_rate_limit: '' },
      },
      context,
    );
    const findings = await config.run(examined({ configuration }));
    expect(findings.map(({ result, sent }) => [result, sent])).toEqual([
      ['ok', 'config.yml'],
      ['info', 'config.yml'],
      ['info', 'cameras.garage'],
    ]);
  });

  test('has a fault for each problem', async () => {
    const problems = [
      { path: 'auth.roles.a', found: 'the unknown camera "x"', allowed: 'one of y' },
      { path: 'proxy.role_map.b', found: 'a role that is not defined', allowed: 'admin, viewer' },
    ];
    const findings = await config.run(examined({ problems, configuration: undefined }));
    expect(findings.map(({ result, change }) => [result, change])).toEqual([
      ['FAULT', 'auth.roles.a: one of y'],
      ['FAULT', 'proxy.role_map.b: admin, viewer'],
    ]);
  });
});

describe('the probe of the recorder’s cameras', () => {
  const recorder = {
    heard_at: 1_000,
    fault: null,
    everybody_is_admin: false,
    cameras: [{ name: 'front', streams: ['front'] }],
    unknown_cameras: [],
    unlisted_streams: [],
  };
  const lines = async (
    reply: unknown,
    role = 'admin',
    answer: (reply: unknown) => unknown = () => ({ recorder: reply }),
  ) => {
    const examination = {
      session: { role, headers: [] },
      context: { clock: { now: () => 1_020_000 } },
      send: async () => ({ status: 200, headers: new Map(), body: JSON.stringify(answer(reply)) }),
    };
    const findings = await recorderCameras.run(examination as unknown as SignedIn);
    return findings.map(({ result, sent, seen }) => `${result} ${sent} ${seen}`);
  };
  const sent = 'GET /postern/api/configuration';

  test('reports what was read, and how old it is', async () => {
    expect(await lines(recorder)).toEqual([`ok ${sent} 1 camera(s), read 20 s ago`]);
  });

  test('has a fault when nothing could be read, or no longer can', async () => {
    const never = { ...recorder, heard_at: null, fault: 'error_status', cameras: [] };
    expect(await lines(never)).toEqual([`FAULT ${sent} error_status; nothing was ever read`]);
    expect(await lines({ ...recorder, fault: 'no_answer' })).toEqual([
      `FAULT ${sent} no_answer; 1 camera(s), read 20 s ago`,
    ]);
  });

  test('has a fault when the recorder treats everyone as an admin', async () => {
    expect((await lines({ ...recorder, everybody_is_admin: true })).slice(1)).toEqual([
      `FAULT ${sent} everybody_is_admin`,
    ]);
  });

  test('reports cameras that the recorder does not have, and streams without a camera', async () => {
    const reply = { ...recorder, unknown_cameras: ['porch'], unlisted_streams: ['attic'] };
    expect((await lines(reply)).slice(1)).toEqual([
      'info porch the recorder has no such camera',
      'info attic a stream that no camera lists: only admin and viewer see it',
    ]);
  });

  test('is skipped without a recorder', async () => {
    expect(await lines(null)).toEqual(['skipped  there is no recorder at upstream']);
  });

  test('checks the cameras that a user who is not an admin may see', async () => {
    const itself = (reply: unknown) => reply;
    expect(await lines(['front'], 'viewer', itself)).toEqual(['ok GET /postern/api/cameras 1 camera(s)']);
    expect(await lines([], 'viewer', itself)).toEqual([
      'FAULT GET /postern/api/cameras no camera is known that the user may see',
    ]);
  });
});

describe('the probe traversal looks at /api/config', () => {
  const secret = { cameras: { front: { ffmpeg: { inputs: [{ path: 'rtsp://olaf:secret@10.0.0.9/1' }] } } } };
  const masked = { cameras: { front: { ffmpeg: { inputs: [{ path: '*****' }] } } } };
  const ofFamily = { ...masked, auth: { roles: { family: ['front'] } } };
  const lineOf = async (status: number, body: string, role: string, cameras: readonly string[] = []) => {
    const examination = {
      session: { role, cameras, headers: [['Cookie', 'a=b']], profile: { status: 200 } },
      profile: { status: 401 },
      options: { cameras: [] },
      context: {},
      send: async ({ target }: { readonly target: string }) =>
        target === '/api/config'
          ? { status, headers: new Map(), body }
          : { status: 403, headers: new Map(), body: '' },
    };
    const findings = await traversal.run(examination as unknown as SignedIn);
    const [found, ...more] = findings.filter(({ sent }) => sent === 'GET /api/config with the session');
    expect(more).toEqual([]);
    return `${found?.result} ${found?.seen}`;
  };

  test.each<[expected: string, status: number, body: string, role: string, cameras?: readonly string[]]>([
    ['ok 403', 403, '', 'viewer'],
    ['ok 502', 502, '', 'viewer'],
    ['ok 200, masked', 200, JSON.stringify(masked), 'viewer'],
    ['ok 200, masked', 200, JSON.stringify(ofFamily), 'family', ['front']],
    ['FAULT 200, not masked', 200, JSON.stringify(masked), 'family', ['garage']],
    ['FAULT 200, not masked', 200, JSON.stringify(secret), 'viewer'],
    ['FAULT 200, not masked', 200, '<title>Recorder</title>', 'viewer'],
  ])('%s', async (expected, status, body, role, cameras) => {
    expect(await lineOf(status, body, role, cameras)).toBe(expected);
  });
});

describe('the probe recorder-roles', () => {
  const found = { unread_reason: null, only_at_recorder: [], refusals: [] };
  const roles = [{ name: 'guest', recorder: 'unverified', recorder_reason: 'change_refused' }];
  const linesOf = async (recorder: object, listed: readonly object[] = roles, role = 'admin') => {
    const asked: string[] = [];
    const examination = {
      session: { headers: [], role },
      send: ({ target }: { readonly target: string }) => {
        asked.push(target);
        const body = JSON.stringify(target === '/postern/api/roles' ? listed : recorder);
        return Promise.resolve({ status: 200, headers: [], body });
      },
    };
    const findings = await recorderRoles.run(examination as unknown as SignedIn);
    return { asked, lines: findings.map(({ result, sent, seen }) => `${result} ${sent} ${seen}`) };
  };
  const fault = 'FAULT GET /postern/api/roles about guest unverified: change_refused';

  test('reports to an admin what the recorder refuses, and what only it has', async () => {
    const reply = {
      unread_reason: 'no_configuration',
      only_at_recorder: [{ name: 'theirs', cameras: ['front'] }],
      refusals: [{ name: 'guest', recorder_says: '500: Error updating config' }],
    };
    expect((await linesOf(reply)).lines).toEqual([
      fault,
      'info the recorder nothing is written to it: no_configuration',
      'info guest the recorder refuses it: 500: Error updating config',
      'info theirs only the recorder has this role',
    ]);
    expect((await linesOf(reply, [])).lines.at(-1)).toBe('info theirs only the recorder has this role');
  });

  test('reports that to admins only', async () => {
    expect(await linesOf(found, roles, 'guest')).toEqual({ asked: ['/postern/api/roles'], lines: [fault] });
  });

  test('accepts an older gate without that endpoint', async () => {
    expect((await linesOf({ message: 'Not found' })).lines).toEqual([fault]);
  });
});
