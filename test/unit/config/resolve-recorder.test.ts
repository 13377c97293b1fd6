import { describe, expect, test } from 'vitest';
import { problemsOf, resolve } from './resolve-document.ts';

const fronts = { networking: { forward_auth: { authenticated: 'unix:/run/postern/a.sock' } } };
const roles = { auth: { roles: { family: ['front'] } } };

describe('upstream', () => {
  test.each<[written: string, events: string | undefined, upstream: string | undefined, toEvents: boolean]>([
    ['http://recorder:8971', undefined, 'http://recorder:8971', false],
    ['https://recorder:8971/', undefined, 'https://recorder:8971', false],
    ['unix:/run/recorder.sock', undefined, 'unix:/run/recorder.sock', false],
    ['unix:/run/events.sock', 'unix:/run/events.sock', undefined, true],
    ['unix:/run/other.sock', 'unix:/run/events.sock', 'unix:/run/other.sock', false],
    ['http://127.0.0.1:8973', '127.0.0.1:8973', undefined, true],
    ['http://localhost:8973', '127.0.0.1:8973', undefined, true],
    ['http://[::1]:8973', '127.0.0.1:8973', undefined, true],
    ['http://127.0.0.1', '127.0.0.1:80', undefined, true],
    ['http://127.0.0.1:8974', '127.0.0.1:8973', 'http://127.0.0.1:8974', false],
    ['http://recorder:8973', '127.0.0.1:8973', 'http://recorder:8973', false],
    ['https://127.0.0.1:8973', '127.0.0.1:8973', 'https://127.0.0.1:8973', false],
    ['unix:/run/events.sock', '127.0.0.1:8973', 'unix:/run/events.sock', false],
  ])('%s beside the events app at %s', (written, listen, upstream, frontsReachEvents) => {
    const events = listen === undefined ? {} : { events: { listen } };
    expect(resolve({ upstream: written, ...events })).toMatchObject({ upstream, frontsReachEvents });
  });

  test.each([
    'recorder:8971',
    'ftp://recorder',
    'http://recorder/api',
    'http://recorder?x',
    'unix:x',
    'unix:',
  ])('%s is refused', (upstream) => {
    expect(problemsOf({ upstream })).toEqual([
      {
        path: 'upstream',
        found: 'text',
        allowed: 'an http or https URL without a path, or unix:/path of a socket',
      },
    ]);
  });
});

describe('the section recorder', () => {
  test('has the settings for requests to the recorder', () => {
    const recorder = {
      auth_secret: 'a {SERVICE_RECORDER}',
      certificate: '/tls/recorder.pem',
      check_interval: 5,
      manage_roles: true,
    };
    const { recorder: resolved, warnings } = resolve(
      { upstream: 'https://recorder:8971', recorder },
      { SERVICE_RECORDER: 'word' },
    );
    expect(resolved).toEqual({
      authSecret: 'a word',
      certificate: '/tls/recorder.pem',
      checkInterval: 5_000,
      manageRoles: true,
    });
    expect(warnings).toEqual([]);
  });

  test.each<[recorder: object, path: string]>([
    [{ check_interval: 0 }, 'recorder.check_interval'],
    [{ check_interval: 3_601 }, 'recorder.check_interval'],
    [{ check_interval: 1.5 }, 'recorder.check_interval'],
    [{ auth_secret: ' ' }, 'recorder.auth_secret'],
    [{ auth_secret: '{SERVICE_NOWHERE}' }, 'recorder.auth_secret'],
    [{ certificate: '' }, 'recorder.certificate'],
    [{ manage: true }, 'recorder.manage'],
    [{ manage_roles: 'yes' }, 'recorder.manage_roles'],
  ])('%j is refused', (recorder, path) => {
    expect(problemsOf({ upstream: 'https://recorder', recorder }).map((problem) => problem.path)).toEqual([
      path,
    ]);
  });

  test('has no effect without a recorder', () => {
    const { warnings } = resolve({ recorder: { auth_secret: 'word', certificate: '/x.pem' } });
    expect(warnings).toEqual([
      'recorder.auth_secret means nothing without a recorder at upstream',
      'recorder.certificate means nothing without a recorder at upstream',
    ]);
  });
});

describe('recorder.manage_roles', () => {
  const recorder = { manage_roles: true };

  test.each<[what: string, document: object]>([
    ['nothing', {}],
    ['the events app', { upstream: 'unix:/e.sock', events: { listen: 'unix:/e.sock' } }],
  ])('is a mistake before %s', (_, document) => {
    expect(problemsOf({ ...document, recorder })).toEqual([
      {
        path: 'recorder.manage_roles',
        found: 'true, without a recorder at upstream',
        allowed: 'false; or set upstream to the port where the recorder believes the identity headers',
      },
    ]);
  });

  test('warns of roles that a recorder never gets', () => {
    const roles = {
      guest: ['front'],
      'a.b': ['front'],
      7: ['front'],
      nobody: ['birdseye'],
      Visitor: ['front'],
    };
    const warnings = resolve({ upstream: 'http://recorder:8971', recorder, auth: { roles } }).warnings.filter(
      (warning) => !warning.includes('birdseye'),
    );
    expect(warnings.map((warning) => /^auth\.roles\.(.*): .*?(\(\w+\))?$/.exec(warning)?.slice(1))).toEqual([
      ['7', '(role_name_refused)'],
      ['a.b', '(role_name_refused)'],
      ['nobody', '(role_without_cameras)'],
      ['Visitor', undefined],
    ]);
    expect(resolve({ upstream: 'http://recorder:8971', auth: { roles } }).warnings).toEqual([
      expect.stringContaining('birdseye'),
    ]);
  });
});

test('warns of port 5000 of a recorder, where everyone is admin', () => {
  const auth = { roles: { guest: ['front'] } };
  for (const more of [{ auth }, {}]) {
    expect(resolve({ upstream: 'http://recorder:5000', ...more }).warnings).toEqual([
      expect.stringMatching(/^upstream names port 5000: .*only guard.*8971/),
    ]);
    for (const upstream of ['http://recorder:8971', 'http://recorder:15000', 'unix:/run/5000'])
      expect(resolve({ upstream, ...more }).warnings).toEqual([]);
  }
});

test('a certificate has no effect without TLS', () => {
  const { warnings } = resolve({ upstream: 'http://recorder', recorder: { certificate: '/x.pem' } });
  expect(warnings).toEqual(['recorder.certificate means nothing: upstream does not begin with https']);
});

describe('custom roles behind fronts with an unknown upstream', () => {
  test('cause a warning that names the key to set', () => {
    expect(resolve({ ...fronts, ...roles }).warnings).toEqual([
      expect.stringContaining('upstream is not set'),
    ]);
  });

  test.each<[what: string, document: object]>([
    ['no custom roles', fronts],
    ['the embedded front alone', roles],
    [
      'only the internal entry point asked about',
      { ...roles, networking: { forward_auth: { internal: 'unix:/i.sock' } } },
    ],
    ['a recorder that is named', { ...fronts, ...roles, upstream: 'http://recorder:8971' }],
    [
      'the events app that is named',
      { ...fronts, ...roles, upstream: 'unix:/e.sock', events: { listen: 'unix:/e.sock' } },
    ],
  ])('%s: none', (_, document) => {
    expect(resolve(document).warnings).toEqual([]);
  });
});
