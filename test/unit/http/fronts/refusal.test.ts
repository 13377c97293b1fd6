import type { Refused } from '../../../../src/policy/decision.ts';
import { describe, expect, test } from 'vitest';
import type { Reader } from '../../../../src/http/fronts/refusal-page.ts';
import { AppError } from '../../../../src/errors.ts';
import { errorResponse, refusalAnswer, wantsPage } from '../../../../src/http/fronts/refusal.ts';
import { reasonText } from '../../../../src/language/reason-text.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import { filtered, known, nothingRecorded } from '../../policy/known-cameras.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';
import { reasons, type Reason } from '../../../../src/policy/reasons.ts';

const reader: Reader = {
  zone: 'UTC',
  language: 'en',
  look: undefined,
  contact: undefined,
  house: { name: 'Postern', hasPicture: false, isOwn: false, style: undefined },
  prefix: '',
  loginUrl: undefined,
  logoutUrl: undefined,
  namesOf: () => [],
  mayAsk: true,
  navigatedTo: undefined,
};

const refusal = (kind: Refused['outcome'], reason: Reason): Refused => ({
  outcome: kind,
  reason,
  identity: undefined,
});

test.each<
  [
    kind: Refused['outcome'],
    reason: Reason,
    login: string | undefined,
    status: number,
    code: string,
    to?: string,
  ]
>([
  ['unauthenticated', 'no_session', '/login', 401, 'unauthenticated', '/login'],
  ['unauthenticated', 'no_session', undefined, 401, 'unauthenticated'],
  ['unauthenticated', 'user_missing', undefined, 401, 'unauthenticated'],
  ['unauthenticated', 'user_malformed', '/login', 401, 'unauthenticated'],
  ['unauthenticated', 'proxy_secret_missing', '/login', 401, 'unauthenticated'],
  ['unauthenticated', 'proxy_secret_repeated', '/login', 401, 'unauthenticated'],
  ['unauthenticated', 'trusted_header_repeated', '/login', 400, 'bad_request'],
  ['unauthenticated', 'trusted_header_alias', undefined, 400, 'bad_request'],
  ['unauthenticated', 'trusted_header_hop_by_hop', undefined, 400, 'bad_request'],
  ['forbidden', 'no_role', '/login', 403, 'forbidden'],
  ['forbidden', 'camera_not_granted', undefined, 403, 'forbidden'],
  ['forbidden', 'uri_dot_segment', undefined, 403, 'forbidden'],
  ['forbidden', 'failure', '/login', 500, 'internal'],
])('%s for %s (login at %s): %i', (kind, reason, login, status, code, to) => {
  for (const page of [false, true]) {
    const recipient = { loginUrl: login, reader: page ? reader : undefined, zone: 'UTC' };
    const answer = refusalAnswer(refusal(kind, reason), recipient, 'd-1');
    expect(answer.status).toBe(status);
    expect(answer.headers['location']).toBe(to);
    // A line without a value would be one of its own.
    expect(Object.values(answer.headers)).not.toContain(undefined);
    expect(answer.headers['x-postern-decision']).toBe('d-1');
    expect(answer.headers['cache-control']).toBe('no-store');
    if (!page)
      expect(JSON.parse(answer.body)).toEqual({ code, message: expect.stringMatching(/./) as string });
  }
});

test.each<[kind: Refused['outcome'], reason: Reason, isAsked: boolean]>([
  ['unauthenticated', 'no_session', true],
  ['unauthenticated', 'api_token_unknown', true],
  ['unauthenticated', 'trusted_header_repeated', false],
  ['forbidden', 'camera_not_granted', false],
  ['forbidden', 'failure', false],
])('%s for %s asks a program for a password: %s', (kind, reason, isAsked) => {
  const program = { loginUrl: '/login', reader: undefined, zone: 'UTC' };
  const answer = (isChallenged: boolean) =>
    refusalAnswer(refusal(kind, reason), { ...program, isChallenged }, 'd-1').headers['www-authenticate'];
  expect(answer(true)).toBe(isAsked ? 'Basic realm="Postern", charset="UTF-8"' : undefined);
  expect(answer(false)).toBeUndefined();
});

test('leads a user without a second factor to its page, and refuses a program', () => {
  const refused = refusal('forbidden', 'second_factor_missing');
  const navigating = { ...reader, prefix: '/gate', navigatedTo: '/explore' };
  const led = refusalAnswer(refused, { loginUrl: '/gate/login', reader: navigating, zone: 'UTC' }, 'd-1');
  expect([led.status, led.headers['location']]).toEqual([303, '/gate/postern/account']);
  for (const one of [undefined, reader])
    expect(refusalAnswer(refused, { loginUrl: '/login', reader: one, zone: 'UTC' }, 'd-1').status).toBe(403);
});

test('names the time of a role, without offering a login', () => {
  const refused = refusal('forbidden', 'role_outside_schedule');
  const page = refusalAnswer(refused, { loginUrl: '/login', reader, zone: 'UTC' }, 'd-1');
  expect([page.status, page.headers['location']]).toEqual([403, undefined]);
  expect(page.body).toContain('Closed now');
  expect(page.body).toContain('/postern/account">Your account</a>');
  expect(page.body).not.toContain('/postern/">');
  const answer = refusalAnswer(refused, { loginUrl: '/login', reader: undefined, zone: 'UTC' }, 'd-1');
  expect(JSON.parse(answer.body)).toMatchObject({ code: 'outside_schedule' });
});

test('names what a user may see only on a page about a camera that they named', () => {
  const refused: Refused = {
    ...refusal('forbidden', 'camera_not_granted'),
    path: '/api/garage/latest.jpg',
    rule: { path: '/api/:known/latest.*', level: 'camera-in-path', may: 'live' },
    resource: { kind: 'cameras', cameras: ['garage'] },
    identity: plainIdentity('nell', 'family', 'session'),
    granted: new Set(['front']),
  };
  let asked = 0;
  const naming: Reader = {
    ...reader,
    namesOf: (grant) => {
      asked += 1;
      return grant === refused.granted ? ['Front'] : ['Attic'];
    },
  };
  const answer = (one: Reader | undefined, changes: Partial<Refused> = {}) =>
    refusalAnswer({ ...refused, ...changes }, { loginUrl: '/login', reader: one, zone: 'UTC' }, 'd-1').body;
  expect(answer(naming)).toContain('You can see Front. If you need Garage too');
  expect(asked).toBe(1);
  const rule = { path: '/api/events/:event', level: 'camera-of-event', may: 'history' } as const;
  for (const changes of [{ rule }, { identity: plainIdentity('nell', 'family', 'api-token') }])
    expect(answer(naming, changes)).not.toMatch(/Front|Attic/);
  expect(answer(undefined)).not.toMatch(/front/i);
  expect(asked).toBe(1);
});

describe('a page about a camera that is not granted', () => {
  const rules = {
    roles: rolesOf([['family', new Set(['front'])]]),
    resolveResource: prepareRules([...lockedRules, ...recorderRules])(known(['front', 'garage'])),
    recorded: nothingRecorded,
    internalHosts: new Set<string>(),
    listsAreFiltered: filtered.listsAreFiltered,
    stateOf: noSchedules,
    basePath: '',
  };
  const naming: Reader = { ...reader, namesOf: (grant) => (grant === 'all' ? ['All'] : [...grant]) };
  const pageAbout = (camera: string, path: string, method: string) => {
    const uri = path.replace('NAME', camera);
    const request = {
      entryPoint: 'authenticated',
      method,
      uri,
      headers: [],
      host: 'x',
      secure: true,
    } as const;
    const identity = plainIdentity('nell', 'family', 'session');
    const decision = evaluate(request, { identity }, rules);
    if (decision.outcome === 'allow') return 'allowed';
    const { status, headers, body } = refusalAnswer(
      decision,
      { loginUrl: '/login', reader: naming, zone: 'UTC' },
      'd-1',
    );
    return JSON.stringify({ status, headers, body }).replaceAll(new RegExp(camera, 'gi'), 'NAME');
  };

  test.each(
    [
      '/api/NAME',
      '/api/NAME/',
      '/api/NAME/latest.jpg',
      '/api/NAME/ptz/info',
      '/api/NAME/recordings',
      '/api/NAME/recordings/summary',
      '/api/NAME/recordings/1700000000/snapshot.png',
      '/api/NAME/search/motion/1',
      '/api/NAME/start/1/end/2/clip.mp4',
      '/api/NAME/person/best.jpg',
      '/api/NAME/anything/else',
      '/api/NAME/search/motion',
      '/api/export/NAME/start/1/end/2',
      '/live/jsmpeg/NAME',
      '/live/mse/api/ws?src=NAME',
      '/live/webrtc/api/ws?src=NAME',
      '/api/go2rtc/streams/NAME',
      '/api/preview/NAME/start/1/end/2',
      '/api/preview/NAME/start/1/end/2/frames',
      '/vod/NAME/start/1/end/2/index.m3u8',
      '/clips/NAME-1.jpg',
      '/clips/NAME/1.jpg',
      '/api/events?camera=NAME',
      '/api/NAME/grid.jpg',
    ].flatMap((path) => [
      ['GET', path],
      ['POST', path],
    ]),
  )('is the same as about one that is not there: %s %s', (method, path) => {
    const [there, other] = [pageAbout('garage', path, method), pageAbout('nowhere', path, method)];
    expect(other).toBe(there);
    expect(there).not.toBe('allowed');
  });
});

test('leaves out a way back that is too long for a header', () => {
  const to = (length: number) =>
    refusalAnswer(
      refusal('unauthenticated', 'no_session'),
      { loginUrl: '/login', reader: { ...reader, navigatedTo: '/'.padEnd(length, 'a') }, zone: 'UTC' },
      'd-1',
    );
  expect(to(2_048).headers['location']).toMatch(/^\/login\?next=%2Fa+$/);
  expect(to(2_049)).toMatchObject({ status: 303, headers: { location: '/login' } });
});

test.each([
  ['/login/', '/login'],
  ['/login//?next=/a', '/login?next=/a'],
  ['/login/x', '/login?next=%2Flogin%2Fx'],
])('%s leads a browser to %s', (navigatedTo, location) => {
  const recipient = { loginUrl: '/login', reader: { ...reader, navigatedTo }, zone: 'UTC' };
  expect(refusalAnswer(refusal('unauthenticated', 'no_session'), recipient, 'd-1')).toMatchObject({
    status: 303,
    headers: { location },
  });
});

test('does not reveal the reason to a client', () => {
  const told = reasons.filter(
    (reason) => !['host_unknown', 'store_unavailable', 'events_unavailable'].includes(reason),
  );
  for (const reason of told) {
    for (const kind of ['unauthenticated', 'forbidden'] as const) {
      for (const page of [false, true]) {
        const recipient = { loginUrl: '/login', reader: page ? reader : undefined, zone: 'UTC' };
        const text = JSON.stringify(refusalAnswer(refusal(kind, reason), recipient, 'd-1'));
        expect(text).not.toContain(reasonText(reason, 'en').meaning);
        if (reason.includes('_')) expect(text).not.toContain(reason);
      }
    }
  }
});

test('names the setting for an unknown host of the internal entry point', () => {
  const answer = refusalAnswer(
    refusal('forbidden', 'host_unknown'),
    { loginUrl: undefined, reader: undefined, zone: 'UTC' },
    'd-1',
  );
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    403,
    { code: 'host_unknown', message: expect.stringContaining('networking.internal_hosts') as string },
  ]);
});

test('a fault is no refusal', () => {
  const recipient = { loginUrl: '/login', reader: undefined, zone: 'UTC' };
  const answer = refusalAnswer(refusal('forbidden', 'failure'), recipient, 'd-1');
  expect(answer).toMatchObject({ status: 500, headers: { 'x-postern-decision': 'd-1' } });
});

test('marks a refusal for an unavailable store as temporary', () => {
  const recipient = { loginUrl: '/login', reader: undefined, zone: 'UTC' };
  const answer = refusalAnswer(refusal('forbidden', 'store_unavailable'), recipient, 'd-1');
  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

describe('an error as an answer', () => {
  test.each<[what: string, error: unknown, status: number, code: string]>([
    [
      'from the table',
      new AppError('upstream_unavailable', { cause: new Error('s3cret') }),
      502,
      'upstream_unavailable',
    ],
    ['any other', new Error('s3cret'), 500, 'internal'],
    ['no error at all', 's3cret', 500, 'internal'],
    ['nothing', undefined, 500, 'internal'],
  ])('%s', (_, error, status, code) => {
    const json = errorResponse(error);
    expect(json).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(json.body)).toMatchObject({ code });
    const page = errorResponse(error, reader);
    expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    for (const answer of [json, page]) {
      expect(answer.body).not.toContain('s3cret');
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });
});

test.each<[headers: Readonly<Record<string, string>>, page: boolean]>([
  [{}, false],
  [{ accept: '*/*' }, false],
  [{ accept: 'application/json' }, false],
  [{ accept: 'text/html,application/xhtml+xml;q=0.9' }, true],
  [{ accept: 'text/html', 'sec-fetch-mode': 'navigate' }, true],
  [{ accept: 'text/html', 'sec-fetch-mode': 'cors' }, false],
  [{ accept: '*/*', 'sec-fetch-mode': 'navigate' }, true],
])('%j asks for a page: %j', (headers, page) => {
  expect(wantsPage((name) => headers[name])).toBe(page);
});
