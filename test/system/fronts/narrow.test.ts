import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { visitor, type Visitor, goodPassword } from '../../support/log-in.ts';
import { sendRaw, type RawRequest } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { startFront, frontNames } from '../../support/start-front.ts';
import { startNginx } from '../../support/start-nginx.ts';
import { startSessionGate, type SessionGate } from './gates.ts';

let upstream: RecordingUpstream;
let gate: SessionGate;

beforeAll(async () => {
  [upstream, gate] = await Promise.all([startRecordingUpstream(), startSessionGate()]);
});
afterAll(async () => {
  await gate.close();
  await upstream.close();
});
beforeEach(() => void upstream.takeReached());

interface Front {
  readonly address: string;
  readonly tls: boolean;
  close(): Promise<void>;
}

const logIn = async (front: Front, user: string, password = goodPassword): Promise<Visitor> => {
  const client = visitor(front.address, front.tls);
  await client.logIn(user, password);
  return client;
};
const send = (front: Front, { token }: Visitor, uri: string, more: Partial<RawRequest> = {}) =>
  sendRaw(
    front.address,
    { ...more, uri, headers: [['Cookie', `session_token=${token}`], ...(more.headers ?? [])] },
    front.tls,
  );

// The gate has no recorder to verify the role, so that no list passes unfiltered.
describe.each(frontNames)('behind %s, a user who sees driveway', (name) => {
  let front: Front;
  let admin: Visitor;
  let nell: Visitor;
  beforeAll(async () => {
    front = await startFront(name, { gateway: gate.address, recorder: upstream.address });
    admin = await logIn(front, 'admin', gate.adminPassword);
    nell = await logIn(front, 'nell');
  });
  afterAll(() => front?.close());

  const reached = () => upstream.takeReached().map(({ method, uri }) => `${method} ${uri}`);
  const narrowedTo = async (uri: string, more?: Partial<RawRequest>) => {
    const { status } = await send(front, nell, uri, more);
    const [target, ...others] = reached();
    expect(others).toEqual([]);
    return target ?? status;
  };

  test.each<[uri: string, narrowed: string]>([
    ['/api/events', '/api/events?cameras=driveway'],
    ['/api/events?', '/api/events?cameras=driveway'],
    ['/api/events?limit=3&label=dog%2Ccat', '/api/events?limit=3&label=dog%2Ccat&cameras=driveway'],
    ['/api/events?cameras=garage,driveway&x=1', '/api/events?cameras=driveway&x=1'],
    ['/api/review?cameras=all&after=1.5&reviewed=', '/api/review?cameras=driveway&after=1.5&reviewed='],
    ['/api/review?%63ameras=all&cameras[]=garage,driveway&q=%2f', '/api/review?cameras=driveway&q=%2f'],
    ['/api/labels', '/api/labels?camera=driveway'],
    ['/api/timeline?camera=all&limit=1', '/api/timeline?camera=driveway&limit=1'],
    ["/api/events?q=$host,~!*'():@", "/api/events?q=$host,~!*'():@&cameras=driveway"],
  ])('GET %s reaches the recorder as %s', async (uri, narrowed) => {
    expect(await narrowedTo(uri)).toBe(`GET ${narrowed}`);
    expect(await narrowedTo(uri, { method: 'HEAD' })).toBe(`HEAD ${narrowed}`);
  });

  test.each([
    '/api/events?cameras=garage',
    '/api/events?Cameras[]=garage',
    '/api/events?x;cameras=driveway',
    '/api/events??cameras=driveway',
    '/api/events?x=1%26cameras%3Dall',
    '/api/events?x={http.request.header.Y}',
    '/api/events?{http.request.header.Y}=all',
    '/api/events/explore',
    '/api/exports?cameras=driveway',
    '/API/events',
  ])('GET %s is refused', async (uri) => {
    expect(await narrowedTo(uri, { headers: [['Y', 'cameras']] })).toBe(403);
  });

  test('nothing from a client becomes the target', async () => {
    const headers = [
      ['X-Postern-Target', '/api/events?cameras=all'],
      ['x-postern-target', '/api/config'],
    ] as const;
    expect(await narrowedTo('/api/events?limit=1', { headers })).toBe(
      'GET /api/events?limit=1&cameras=driveway',
    );
    expect(await narrowedTo('/api/driveway/latest.jpg', { headers })).toBe('GET /api/driveway/latest.jpg');
    await send(front, admin, '/api/events?limit=1', { headers });
    expect(reached()).toEqual(['GET /api/events?limit=1']);
  });

  test('a request that is not narrowed reaches the recorder as it was sent', async () => {
    const queries = ['', '?', '?cameras=garage&a=&&b=%2f+x', '?a=1?&b', "?q=$host,~!*'():@;x"];
    for (const query of queries) {
      await send(front, admin, `/api/events${query}`);
      expect(reached()).toEqual([`GET /api/events${query}`]);
    }
    for (const query of ['', '?cameras=all&x=%41', '?a=&&b=%2f+x'])
      expect(await narrowedTo(`/api/driveway/latest.jpg${query}`)).toBe(
        `GET /api/driveway/latest.jpg${query}`,
      );
  });

  test('a target as long as it may be arrives whole, and a longer one is refused', async () => {
    const long = (length: number) => `/api/events?label=${'x'.repeat(length - 18)}`;
    const filter = '&cameras=driveway';
    const longest = long(8_000 - filter.length);
    expect(await narrowedTo(longest)).toBe(`GET ${longest}${filter}`);
    expect(await narrowedTo(`${longest}x`)).toBe(403);
  });

  test('a session is refreshed by the same answer', async () => {
    const user = await logIn(front, 'nell');
    gate.passTime(800);
    const answer = await send(front, user, '/api/events');
    expect(reached()).toEqual(['GET /api/events?cameras=driveway']);
    expect(answer.headers.get('set-cookie')?.[0]).toContain('session_token=');
    nell = await logIn(front, 'nell');
    admin = await logIn(front, 'admin', gate.adminPassword);
  });

  test('a visit to /auth?narrow is a visit to /auth', async () => {
    const visit = async (uri: string, user: Visitor) => {
      const { status, headers } = await send(front, user, uri, {
        headers: [['X-Original-URL', '/api/events']],
      });
      return { status, cookie: headers.get('set-cookie')?.length, target: headers.get('x-postern-target') };
    };
    for (const user of [nell, admin])
      expect(await visit('/auth?narrow', user)).toEqual(await visit('/auth', user));
    expect(reached()).toEqual([]);
  });
});

describe('behind nginx', () => {
  const uri = '/api/events?cameras=garage,driveway';
  const through = async (changes: NonNullable<Parameters<typeof startNginx>[0]['changes']>) => {
    const nginx = await startNginx({
      gateway: { authenticated: gate.address, internal: gate.address },
      recorder: upstream.address,
      changes,
    });
    const front = { address: nginx.authenticated, tls: true, close: nginx.close };
    try {
      const { status } = await send(front, await logIn(front, 'nell'), uri);
      return { status, reached: upstream.takeReached().map((one) => one.uri) };
    } finally {
      await nginx.close();
    }
  };

  test('with locations as they were before, nothing is narrowed: the list is refused', async () => {
    const changes = {
      'postern/server.conf': [
        ['include postern/gate-narrow.conf;', 'include postern/gate.conf;'],
        ['$recorder_of_somebody$gate_target;', '$recorder_of_somebody;'],
      ],
    } as const;
    expect(await through(changes)).toEqual({ status: 403, reached: [] });
  });

  // What docs/fronts/nginx/README.md warns of, and `postern doctor` finds.
  test('with the answer asked for and not passed on, the recorder gets what the client asked for', async () => {
    const changes = {
      'postern/server.conf': [['$recorder_of_somebody$gate_target;', '$recorder_of_somebody;']],
    } as const;
    expect(await through(changes)).toEqual({ status: 200, reached: [uri] });
  });
});
