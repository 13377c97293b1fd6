import { ownRules } from '../../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import type { Front } from '../../../../src/policy/request-context.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { known, nothingRecorded } from '../known-cameras.ts';

const cameras = ['front', 'yard', 'garage'];
const ofOperator: readonly AccessRule[] = [{ path: '/api/own_list', level: 'list', may: 'shell' }];
const rules = {
  roles: rolesOf([
    ['family', new Set(['front', 'yard'])],
    ['street', new Set(['front'])],
  ]),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...ofOperator, ...recorderRules])(
    known(cameras),
  ),
  recorded: nothingRecorded,
  // The upstream of nginx has the role street, and none has the role family.
  listsAreFiltered: (role: string, front: Front | undefined) => role === 'street' && front === 'auth-request',
  internalHosts: new Set<string>(),
  stateOf: noSchedules,
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
const request = {
  entryPoint: 'authenticated',
  method: 'GET',
  headers: [],
  host: 'gate.test',
  secure: true,
} as const;
const decisionOf = (identity: Identity, uri: string, front?: Front, method = 'GET', narrows?: boolean) =>
  evaluate({ ...request, front, narrows, method, uri }, { identity }, rules);
const reasonOf = (...asked: Parameters<typeof decisionOf>) => decisionOf(...asked).reason;

const lists = [...recorderRules, ...ofOperator].filter(({ level }) => level === 'list');
const filterable = lists.flatMap(({ path, filter, isFilterNew }) =>
  filter === undefined || isFilterNew === true ? [] : [[path, filter] as const],
);

describe.each(lists)('$path, for a role that the recorder may not have', ({ path, filter, isFilterNew }) => {
  test('is refused if it names no camera', () => {
    for (const query of ['', '?', '?limit=3', '?cameras=', '?cameras=all', '?camera=all', '?Cameras=front'])
      for (const method of ['GET', 'HEAD'])
        expect(reasonOf(identityOf('family'), path + query, 'auth-request', method), query).toBe(
          'recorder_role_unverified',
        );
  });

  test('is open to admin and viewer, and to a role that is verified', () => {
    for (const role of ['admin', 'viewer', 'street'])
      expect(reasonOf(identityOf(role), path, 'auth-request'), role).toBe('allowed');
  });

  test.runIf(filter === undefined || isFilterNew === true)(
    'is refused with any camera, which does not filter it',
    () => {
      for (const query of ['?cameras=front', '?camera=front'])
        expect(reasonOf(identityOf('family'), path + query, 'auth-request')).toBe('recorder_role_unverified');
    },
  );
});

describe.each(filterable)('%s with %s in its query', (path, filter) => {
  test('is not a list if all its cameras are granted', () => {
    for (const names of ['front', 'front,yard', 'front%2Cyard', '%66ront'])
      expect(
        reasonOf(identityOf('family'), `${path}?limit=3&${filter}=${names}`, 'auth-request'),
        names,
      ).toBe('allowed');
  });

  test('is refused for a camera that is not granted', () => {
    expect(reasonOf(identityOf('family'), `${path}?${filter}=front,garage`, 'auth-request')).toBe(
      'camera_not_granted',
    );
  });

  test('is a list if some server could read no camera in it, or another one', () => {
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
      expect(reasonOf(identityOf('family'), `${path}?${query}`, 'auth-request'), query).not.toBe('allowed');
  });
});

test('a role is verified behind one front, and not behind another', () => {
  expect(reasonOf(identityOf('street'), '/api/events', 'auth-request')).toBe('allowed');
  for (const front of ['forward-auth', 'ext-authz', undefined] as const)
    expect(reasonOf(identityOf('street'), '/api/events', front)).toBe('recorder_role_unverified');
});

test('other paths stay open to an unverified role', () => {
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

test('a list in other letter case counts as one', () => {
  for (const uri of ['/API/events', '/Api/Events', '/api/EVENTS', '/API/own_list'])
    expect(decisionOf(identityOf('family'), uri, 'auth-request').outcome, uri).toBe('forbidden');
});

test('a camera-scoped token gets its own reason', () => {
  expect(reasonOf(identityOf('viewer', ['front']), '/api/events', 'auth-request')).toBe('cameras_unnamed');
  expect(reasonOf(identityOf('viewer', ['front']), '/api/events?cameras=front', 'auth-request')).toBe(
    'allowed',
  );
});

describe('behind a front that narrows', () => {
  const decided = (identity: Identity, uri: string, method = 'GET') => {
    const decision = decisionOf(identity, uri, 'forward-auth', method, true);
    const { outcome, reason, resource } = decision;
    const cameras = resource?.kind === 'cameras' ? resource.cameras : undefined;
    return outcome === 'allow' ? { uri: decision.narrowed, cameras } : reason;
  };

  test.each(filterable)('%s (%s) needs no verified role', (path, filter) => {
    const cameras = filter === 'cameras' ? ['front', 'yard'] : ['front'];
    const role = filter === 'cameras' ? 'family' : 'street';
    const uri = `${path}?limit=3&${filter}=${cameras.join(',')}`;
    for (const method of ['GET', 'HEAD'])
      expect(decided(identityOf(role), `${path}?limit=3`, method)).toEqual({ uri, cameras });
    expect(decided(identityOf(role), `${path}?limit=3&${filter}=front,garage`)).toMatchObject({
      uri: `${path}?limit=3&${filter}=front`,
    });
    expect(decided(identityOf(role), `${path}?${filter}=garage`)).toBe('camera_not_granted');
    expect(decided(identityOf(role), path, 'POST')).toBe('read_only');
  });

  test.each(filterable)('%s (%s) is narrowed to the cameras of a camera-scoped token', (path, filter) => {
    for (const role of ['viewer', 'family'])
      expect(decided(identityOf(role, ['front']), path)).toMatchObject({ uri: `${path}?${filter}=front` });
    expect(decided(identityOf('family', ['garage']), path)).toBe('cameras_unnamed');
  });

  test('a query with granted cameras only is passed on unchanged', () => {
    expect(decided(identityOf('family'), '/api/events?cameras=yard&limit=3')).toEqual({
      uri: undefined,
      cameras: ['yard'],
    });
  });

  test('a role that sees all cameras is not limited', () => {
    for (const role of ['admin', 'viewer'])
      expect(decided(identityOf(role), '/api/events?cameras=garage')).toMatchObject({ uri: undefined });
  });

  test('other targets stay unchanged', () => {
    for (const uri of ['/api/sub_labels', '/api/own_list', '/api/labels?x=1&camera=', '/API/events'])
      expect(decided(identityOf('family'), uri), uri).toBe('recorder_role_unverified');
    expect(decided(identityOf('family'), '/api/front/latest.jpg?cameras=all')).toMatchObject({
      uri: undefined,
    });
    // By id.
    expect(decided(identityOf('family'), '/api/event_ids?ids=&cameras=garage')).toBe('camera_not_granted');
  });

  test('a list that only some releases filter is narrowed, for verified roles only', () => {
    const verified = { ...rules, listsAreFiltered: () => true };
    const asked = { ...request, front: 'embedded', uri: '/api/exports?cameras=front,garage' } as const;
    expect(decided(identityOf('family'), asked.uri)).toBe('recorder_role_unverified');
    expect(evaluate(asked, { identity: identityOf('family') }, verified)).toMatchObject({
      outcome: 'allow',
      narrowed: '/api/exports?cameras=front',
    });
    expect(decided(identityOf('viewer', ['front']), '/api/exports')).toBe('cameras_unnamed');
  });

  test('a search by similarity to an event of any camera needs a verified role', () => {
    const search = '/api/events/search?cameras=front';
    expect(decided(identityOf('family'), `${search}&query=event_id`)).toMatchObject({ cameras: ['front'] });
    for (const query of [
      'event_id=1.g',
      'event%5Fid=1.g',
      'Event_Id=',
      'event_id[]=1.g',
      'a=b%26event_id=1.g',
    ])
      expect(decided(identityOf('family'), `${search}&${query}`), query).toBe('recorder_role_unverified');
    expect(decided(identityOf('viewer', ['front']), `${search}&event_id=1.g`)).toBe('cameras_unnamed');
  });

  test('an ambiguous query still needs a verified role', () => {
    const verified = { ...rules, listsAreFiltered: () => true };
    for (const query of ['x;cameras=front', '?cameras=front', 'a=b%26cameras%3Dall', 'a=%']) {
      const uri = `/api/events?${query}`;
      expect(decided(identityOf('family'), uri), uri).toBe('recorder_role_unverified');
      const decision = evaluate(
        { ...request, front: 'embedded', uri },
        { identity: identityOf('family') },
        verified,
      );
      expect(decision).toMatchObject({ outcome: 'allow' });
      expect(decision).not.toHaveProperty('narrowed');
    }
  });

  test('more cameras than fit into a request target need a verified role', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `camera_${i}`);
    const roles = rolesOf([['city', new Set(many)]]);
    const asked = { entryPoint: 'authenticated', front: 'embedded', method: 'GET', headers: [] } as const;
    const of = (listsAreFiltered: boolean, uri: string) =>
      evaluate(
        { ...asked, uri, host: '', secure: true },
        { identity: identityOf('city') },
        { ...rules, roles, listsAreFiltered: () => listsAreFiltered },
      );
    expect(of(false, '/api/events').reason).toBe('cameras_too_many');
    expect(of(true, '/api/events')).toMatchObject({ outcome: 'allow', resource: { kind: 'neutral' } });
    expect(of(false, '/api/events?cameras=camera_7,garage')).toMatchObject({
      narrowed: '/api/events?cameras=camera_7',
    });
  });
});
