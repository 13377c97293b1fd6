import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const config = {
  auth: { enabled: false, roles: { operator: ['garage', 'driveway'], front: ['front_door'] } },
  proxy: {
    auth_secret: 'from the proxy',
    header_map: { user: 'X-Forwarded-User', role: 'x-forwarded-groups' },
    separator: '|',
    role_map: {
      admin: ['group_admin'],
      viewer: ['group_viewer', 'group_family'],
      operator: ['group_operator'],
      front: ['group_front'],
    },
  },
};

let gateway: RunningGateway;
let nginx: RunningNginx;
let events: ReadonlyMap<string, string>;

beforeAll(async () => {
  gateway = await startGateway({ config });
  nginx = await startNginxFor(gateway);
  const found = new Map<string, string>();
  for (const camera of ['front_door', 'back_yard', 'garage', 'side_yard', 'driveway']) {
    const answer = await get('embedded front', 'internal', `/api/events?cameras=${camera}&limit=1`);
    found.set(camera, (JSON.parse(answer.body) as Array<{ id: string }>)[0]?.id ?? '');
  }
  events = found;
});
afterAll(async () => {
  await nginx.close();
  await gateway.close();
});

type Front = 'embedded front' | 'nginx';

function get(front: Front, entryPoint: 'authenticated' | 'internal', uri: string, groups?: string) {
  const address = front === 'nginx' ? nginx[entryPoint] : (gateway.addresses[entryPoint] ?? '');
  const headers: Array<readonly [string, string]> = [
    ['X-Proxy-Secret', 'from the proxy'],
    ['X-Forwarded-User', 'olaf'],
  ];
  if (groups !== undefined) headers.push(['X-Forwarded-Groups', groups]);
  return sendRaw(address, { uri, headers }, entryPoint === 'authenticated');
}

/** `/api/event_ids` for the newest event of each camera named, and for ids given as they are. */
function lookup(...camerasOrIds: string[]): string {
  return `/api/event_ids?ids=${camerasOrIds.map((name) => events.get(name) ?? name).join(',')}`;
}

test.each(['nginx', 'embedded front'] as const)(
  'through %s: as many ids as may be, as recorders make them',
  async (front) => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `1718987129.${100_000 + i}-fqk5ka`);
    const answer = await get(front, 'authenticated', lookup(...ids), 'group_operator');
    expect([answer.status, answer.body]).toEqual([200, '[]']);
  },
);

// Clients of the embedded front have 32 KiB for them.
test('through nginx: as many ids as may be, as long as may be', async () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => String(i).padStart(64, '0'));
  const answer = await get('nginx', 'authenticated', lookup(...ids), 'group_operator');
  expect([answer.status, answer.body]).toEqual([200, '[]']);
});

test('a list that cannot be narrowed: allowed by the embedded front before the events app, refused behind nginx', async () => {
  const list = (front: Front) => get(front, 'authenticated', '/api/events/summary', 'group_operator');
  // The events app has no such list.
  expect((await list('embedded front')).status).toBe(404);
  expect((await list('nginx')).status).toBe(403);
});

describe('with a user map', () => {
  const proxy = {
    auth_secret: 'from the proxy',
    header_map: { user: 'X-Forwarded-User' },
    user_map: { 'ada@example.org': 'admin', nell: 'front', lou: 'none', noa: 'operator' },
    default_role: 'viewer',
  };
  const profileOf = async (
    address: string,
    user: string,
    ...more: ReadonlyArray<readonly [string, string]>
  ) => {
    const headers = [['X-Proxy-Secret', 'from the proxy'], ['X-Forwarded-User', user], ...more] as const;
    const { status, body } = await sendRaw(address, { uri: '/api/profile', headers }, true);
    return status === 200 ? (JSON.parse(body) as { role: string }).role : status;
  };

  test('users have the roles that it names, from the next request after a change on', async () => {
    const withMap = await startGateway({ config: { ...config, proxy } });
    const front = await startNginxFor(withMap);
    try {
      for (const address of [withMap.addresses.authenticated ?? '', front.authenticated]) {
        const roles = await Promise.all(
          ['ada@example.org', 'nell', 'lou', 'NELL', 'eve'].map((user) => profileOf(address, user)),
        );
        expect(roles).toEqual(['admin', 'front', 403, 'viewer', 'viewer']);
        // No header of groups is named, so none counts.
        expect(await profileOf(address, 'nell', ['X-Forwarded-Groups', 'admin'])).toBe('front');
        expect(await profileOf(address, 'nell', ['X-Forwarded-User', 'ada@example.org'])).toBeOneOf([
          400, 401, 403,
        ]);
      }
      expect(withMap.log.some(({ reason, path }) => reason === 'no_role' && path === '/api/profile')).toBe(
        true,
      );
      const file = join(withMap.directory, 'config.yml');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('nell: front', 'nell: operator'));
      await withMap.reloading.reload('test');
      expect(await profileOf(withMap.addresses.authenticated ?? '', 'nell')).toBe('operator');
    } finally {
      await front.close();
      await withMap.close();
    }
  });

  test('a role that is removed leaves no user in it', async () => {
    const withMap = await startGateway({ config: { ...config, proxy } });
    try {
      const address = withMap.addresses.authenticated ?? '';
      expect(await profileOf(address, 'noa')).toBe('operator');
      const headers = [
        ['X-Proxy-Secret', 'from the proxy'],
        ['X-Forwarded-User', 'ada@example.org'],
      ] as const;
      const removal = { method: 'DELETE', uri: '/postern/api/roles/operator', headers };
      expect((await sendRaw(address, removal, true)).status).toBe(200);
      const text = readFileSync(join(withMap.directory, 'config.yml'), 'utf8');
      expect(text).not.toContain('noa');
      expect(text).toContain('nell: front');
      expect(await profileOf(address, 'noa')).toBe('viewer');
    } finally {
      await withMap.close();
    }
  });
});

describe.each(['embedded front', 'nginx'] as const)('%s', (front) => {
  test('a group that maps gives its role and cameras', async () => {
    const answer = await get(front, 'authenticated', '/api/profile', ' group_other | group_operator ');
    expect(answer.status).toBe(200);
    const profile = JSON.parse(answer.body) as { allowed_cameras: string[] };
    expect(profile).toMatchObject({ username: 'olaf', role: 'operator' });
    expect(profile.allowed_cameras).toHaveLength(2);
  });

  test('a user without a group that maps is refused', async () => {
    const answer = await get(front, 'authenticated', '/api/profile', 'group_unknown');
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toEqual({ message: 'Access denied', code: 'forbidden' });
  });

  test.each([
    {
      groups: 'group_operator',
      wanted: ['driveway', 'garage', 'no-such-id'],
      status: 200,
      cameras: ['driveway', 'garage'],
    },
    { groups: 'group_operator', wanted: ['garage', 'front_door'], status: 403 },
  ])('$groups looks up $wanted: $status', async ({ groups, wanted, status, cameras }) => {
    const answer = await get(front, 'authenticated', lookup(...wanted), groups);
    expect(answer.status).toBe(status);
    const body: unknown = JSON.parse(answer.body);
    if (status === 200)
      expect((body as Array<{ camera: string }>).map(({ camera }) => camera)).toEqual(cameras);
    if (status === 403) expect(answer.body).not.toMatch(/front_door|garage/);
  });

  test('a custom role lists the events of its cameras, and of no others', async () => {
    const list = '/api/events?limit=100&cameras=garage,driveway,front_door';
    const answer = await get(front, 'authenticated', list, 'group_operator');
    const cameras = (JSON.parse(answer.body) as Array<{ camera: string }>).map(({ camera }) => camera);
    expect(new Set(cameras)).toEqual(new Set(['garage', 'driveway']));
  });

  test('there is no login, and a logout leads to the login page', async () => {
    const login = await sendRaw(
      front === 'nginx' ? nginx.authenticated : (gateway.addresses.authenticated ?? ''),
      { method: 'POST', uri: '/api/login', headers: [['Content-Type', 'application/json']], body: '{}' },
      true,
    );
    expect([login.status, login.body]).toEqual([
      404,
      '{"message":"Authentication is disabled","code":"authentication_disabled"}',
    ]);
    const logout = await get(front, 'authenticated', '/logout');
    expect([logout.status, logout.headers.get('location')]).toEqual([303, ['/login']]);
  });
});

test('what a proxy calls its user is a text of the page, whatever it is', async () => {
  const { status, body } = await sendRaw(
    nginx.authenticated,
    {
      uri: '/api/garage/latest.jpg',
      headers: [
        ['X-Proxy-Secret', 'from the proxy'],
        ['X-Forwarded-User', `"><img src=x onerror='alert(1)'>&copy;`],
        ['X-Forwarded-Groups', 'group_front'],
        ['Accept', 'text/html'],
      ],
    },
    true,
  );
  expect(status).toBe(403);
  expect(body).toContain(
    '<strong dir="auto">&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;copy;</strong>',
  );
  expect(body).not.toContain('<img');
  // It has no session of ours, and the proxy named no place to sign out.
  expect(body).not.toMatch(/<form|Log out/);
  expect(body).not.toContain('from the proxy');
});
