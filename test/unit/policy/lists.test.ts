import type { Front } from '../../../src/policy/authorization-request.ts';
import type { Identity } from '../../../src/policy/identity.ts';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../src/policy/evaluate.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { ownRules } from '../../../src/api/own-paths.ts';
import { lockedRules, recorderRules, type AccessRule } from '../../../src/policy/access-rules.ts';
import { known, nothingRecorded } from './known-cameras.ts';

const cameras = ['front', 'yard', 'garage'];
const ofOperator: readonly AccessRule[] = [{ path: '/api/own_list', level: 'list' }];
const rules = {
  customRoles: new Map([
    ['family', new Set(['front', 'yard'])],
    ['street', new Set(['front'])],
  ]),
  resolveResource: prepareRules(
    [...ownRules, ...lockedRules, ...ofOperator, ...recorderRules],
    known(cameras),
  ),
  recorded: nothingRecorded,
  // What stands behind the embedded front knows the role street, and nobody knows anything of the role family.
  listsAreFiltered: (role: string, front: Front | undefined) => role === 'street' && front === 'embedded',
  internalHosts: new Set<string>(),
  basePath: '',
};
const identityOf = (role: string, cameras?: readonly string[]): Identity => ({
  user: 'olaf',
  role,
  source: cameras === undefined ? 'session' : 'api-token',
  groups: '',
  email: '',
  name: '',
  ...(cameras === undefined ? {} : { token: { id: 't', cameras: new Set(cameras) } }),
});
const decisionOf = (identity: Identity, uri: string, front?: Front, method = 'GET') =>
  evaluate(
    { entryPoint: 'authenticated', front, method, uri, headers: [], host: 'gate.test', secure: true },
    { identity },
    rules,
  );
const reasonOf = (...asked: Parameters<typeof decisionOf>) => decisionOf(...asked).reason;

const lists = [...recorderRules, ...ofOperator].filter(({ level }) => level === 'list');
const filterable = lists.flatMap(({ path, filter }) =>
  filter === undefined ? [] : [[path, filter] as const],
);

describe.each(lists)('$path, of a role that the recorder may not know', ({ path, filter }) => {
  test('is refused when it names no camera', () => {
    for (const query of ['', '?', '?limit=3', '?cameras=', '?cameras=all', '?camera=all', '?Cameras=front'])
      for (const method of ['GET', 'HEAD'])
        expect(reasonOf(identityOf('family'), path + query, 'embedded', method), query).toBe(
          'recorder_role_unverified',
        );
  });

  test('is open to admin and viewer, and to a role that is verified', () => {
    for (const role of ['admin', 'viewer', 'street'])
      expect(reasonOf(identityOf(role), path, 'embedded'), role).toBe('allowed');
  });

  test.runIf(filter === undefined)('is refused whatever it names, since it is not filtered by that', () => {
    for (const query of ['?cameras=front', '?camera=front'])
      expect(reasonOf(identityOf('family'), path + query, 'embedded')).toBe('recorder_role_unverified');
  });
});

describe.each(filterable)('%s with %s in its query', (path, filter) => {
  test('is no list when all that it names is granted', () => {
    for (const names of ['front', 'front,yard', 'front%2Cyard', '%66ront'])
      expect(reasonOf(identityOf('family'), `${path}?limit=3&${filter}=${names}`, 'embedded'), names).toBe(
        'allowed',
      );
  });

  test('is refused with a camera that is not granted, for that reason', () => {
    expect(reasonOf(identityOf('family'), `${path}?${filter}=front,garage`, 'embedded')).toBe(
      'camera_not_granted',
    );
  });

  test('is a list in whatever way some server could read no camera in it, or another one', () => {
    const other = filter === 'camera' ? 'cameras' : 'camera';
    for (const query of [
      `${filter}=front&${filter}=yard`,
      `${filter}=front&${filter}=`,
      `${filter}=front&${filter}=all`,
      `${filter}=front,`,
      `${filter}=front,all`,
      `${filter}=front, yard`,
      `${filter}=front&${other}=yard`,
      `${other}=front`,
      `${filter}[]=front`,
      `%63${filter.slice(1)}=front`,
      `x;${filter}=front`,
      `?${filter}=front`,
      `x=1?&${filter}=front`,
    ])
      expect(reasonOf(identityOf('family'), `${path}?${query}`, 'embedded'), query).not.toBe('allowed');
  });
});

test('a role is verified behind one front, and not behind another', () => {
  expect(reasonOf(identityOf('street'), '/api/events', 'embedded')).toBe('allowed');
  for (const front of ['auth-request', 'forward-auth', 'ext-authz', undefined] as const)
    expect(reasonOf(identityOf('street'), '/api/events', front)).toBe('recorder_role_unverified');
});

test('what is no list goes on for a role that is not verified', () => {
  for (const uri of [
    '/',
    '/ws',
    '/api/version',
    '/api/front/latest.jpg',
    '/api/profile',
    '/vod/front/start/1/end/2',
  ])
    expect(reasonOf(identityOf('family'), uri, 'embedded'), uri).toBe('allowed');
});

test('a list in other letters, which some server may read as the same, is one', () => {
  for (const uri of ['/API/events', '/Api/Events', '/api/EVENTS', '/API/own_list'])
    expect(decisionOf(identityOf('family'), uri, 'embedded').outcome, uri).toBe('forbidden');
});

test('a camera-scoped token is told its own reason', () => {
  expect(reasonOf(identityOf('viewer', ['front']), '/api/events', 'embedded')).toBe('cameras_unnamed');
  expect(reasonOf(identityOf('viewer', ['front']), '/api/events?cameras=front', 'embedded')).toBe('allowed');
});
