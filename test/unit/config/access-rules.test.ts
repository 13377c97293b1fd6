import { describe, expect, test } from 'vitest';
import { problemsOf, resolve } from './resolve-document.ts';

const withRules = (rules: unknown) => ({ access: { rules } });
const good = { path: '/ptz/:camera/**', require: 'camera-in-path' };

describe('valid rules', () => {
  test.each<[written: object, row: object]>([
    [good, { path: '/ptz/:camera/**', level: 'camera-in-path', may: 'everything' }],
    [
      { path: '/a/*/x*y', methods: ['POST'], having: ',', require: 'any', changes: true },
      { path: '/a/*/x*y', methods: ['POST'], having: ',', level: 'any', may: 'everything', changes: true },
    ],
    [
      { path: '/a', require: 'list', changes: false },
      { path: '/a', level: 'list', may: 'everything' },
    ],
    [
      { path: '/**', require: 'unresolved' },
      { path: '/**', level: 'unresolved', may: 'everything' },
    ],
    [
      { path: '/', require: 'admin-only' },
      { path: '/', level: 'admin-only', may: 'everything' },
    ],
    [
      { path: '/k/:known', require: 'camera-in-path' },
      { path: '/k/:known', level: 'camera-in-path', may: 'everything' },
    ],
    [
      { path: '/f/:file', require: 'camera-in-file' },
      { path: '/f/:file', level: 'camera-in-file', may: 'everything' },
    ],
    [
      { path: '/s', require: 'camera-in-src' },
      { path: '/s', level: 'camera-in-src', may: 'everything' },
    ],
    [
      { path: '/e/:event', require: 'camera-of-event' },
      { path: '/e/:event', level: 'camera-of-event', may: 'everything' },
    ],
    [
      { path: '/e', require: 'camera-of-events' },
      { path: '/e', level: 'camera-of-events', may: 'everything' },
    ],
    [
      { path: '/x/:export', require: 'camera-of-export' },
      { path: '/x/:export', level: 'camera-of-export', may: 'everything' },
    ],
    [
      { path: '/r/:review', require: 'camera-of-review' },
      { path: '/r/:review', level: 'camera-of-review', may: 'everything' },
    ],
  ])('%j', (written, row) => {
    expect(resolve(withRules([written])).accessRules).toEqual([row]);
  });

  test('keep their order; the list may be empty', () => {
    const paths = ['/b', '/a', '/**'];
    const rules = paths.map((path) => ({ path, require: 'any' }));
    expect(resolve(withRules(rules)).accessRules.map(({ path }) => path)).toEqual(paths);
    for (const rulesOfNone of [[], null, undefined]) {
      expect(resolve(withRules(rulesOfNone)).accessRules).toEqual([]);
    }
  });
});

describe('what a role must be able to do for a rule', () => {
  test.each<[path: string, may: string | undefined, need: string]>([
    ['/a', undefined, 'everything'],
    ['/a', 'live', 'live'],
    ['/a', 'history', 'history'],
    ['/a', 'export', 'export'],
    ['/a', 'shell', 'shell'],
    ['/**', undefined, 'everything'],
    ['/api/config', undefined, 'shell'],
    ['/api/config', 'live', 'live'],
    ['/api/config/*', undefined, 'everything'],
    ['/api/config/**', undefined, 'everything'],
    ['/api/config/raw', undefined, 'everything'],
    ['/api/*', undefined, 'everything'],
  ])('%s with %s: %s', (path, may, need) => {
    const written = { path, require: 'any', ...(may === undefined ? {} : { may }) };
    expect(resolve(withRules([written])).accessRules).toEqual([{ path, level: 'any', may: need }]);
  });
});

test('at most 20 rules may have the same path', () => {
  const rules = Array.from({ length: 21 }, (_, i) => ({ path: '/a', having: `${i}`, require: 'any' }));
  expect(problemsOf(withRules(rules.slice(1)))).toEqual([]);
  expect(problemsOf(withRules(rules))).toMatchObject([
    { path: 'access.rules', found: 'a list', allowed: 'at most 20 rules of one path' },
  ]);
});

const pathAllowed = 'a path of segments such as';
const segmentAllowed = 'a path with the segment that the access level looks at';

describe('invalid rules', () => {
  test.each<[path: string, found: string, allowed: string, rules: unknown]>([
    ['', 'a map', 'a list of rules', {}],
    ['', 'text', 'a list of rules', '/a'],
    ['.0', 'text', 'a rule with the keys', ['/a']],
    ['.0', 'null', 'a rule with the keys', [null]],
    ['.0.path', 'nothing', 'a rule with the keys path', [{ require: 'any' }]],
    ['.0.path', 'a number', pathAllowed, [{ path: 1, require: 'any' }]],
    ...[
      '',
      'a',
      'a/b',
      '//',
      '/a//b',
      '/a b',
      '/a?b',
      '/a#b',
      '/a%20b',
      '/a;b',
      String.raw`/a\b`,
      '/**/a',
      '/a**',
      '/a**/b',
      '/***',
      '/a*b*',
      '/./a',
      '/../a',
      '/a/..',
      '/a:camera',
    ].map((path): [string, string, string, unknown] => [
      '.0.path',
      'text',
      pathAllowed,
      [{ path, require: 'any' }],
    ]),
    ['.0.methods', 'text', 'a list of methods', [{ ...good, methods: 'POST' }]],
    ['.0.methods', 'a list', 'at least one method', [{ ...good, methods: [] }]],
    ['.0.methods.1', 'text', 'a method in capitals', [{ ...good, methods: ['GET', 'post'] }]],
    ['.0.having', 'a number', 'text', [{ ...good, having: 1 }]],
    ['.0.having', 'text', 'text that is not empty', [{ ...good, having: '' }]],
    ['.0.require', 'nothing', 'a rule with the keys path', [{ path: '/a' }]],
    ['.0.require', '"public"', 'one of any, list, admin-only', [{ path: '/a', require: 'public' }]],
    ['.0.require', '"own-account"', 'one of any, list, admin-only', [{ path: '/a', require: 'own-account' }]],
    ['.0.changes', '"yes"', 'true or false (did you mean true?)', [{ ...good, changes: 'yes' }]],
    ['.0.may', '"ptz"', 'one of live, history, export, shell', [{ ...good, may: 'ptz' }]],
    ['.0.may', '"everything"', 'one of live, history, export, shell', [{ ...good, may: 'everything' }]],
    [
      '.0.may',
      '"Live"',
      'one of live, history, export, shell (did you mean live?)',
      [{ ...good, may: 'Live' }],
    ],
    ['.0.may', 'a list', 'one of live, history, export, shell', [{ ...good, may: ['live'] }]],
    ['.0.may', 'null', 'one of live, history, export, shell', [{ ...good, may: null }]],
    ['.0.chanegs', 'an unknown key', '', [{ ...good, chanegs: true }]],
    ['.0', 'a map', segmentAllowed, [{ path: '/a', require: 'camera-in-path' }]],
    ['.0', 'a map', segmentAllowed, [{ path: '/:file', require: 'camera-in-path' }]],
    ['.0', 'a map', segmentAllowed, [{ path: '/:camera', require: 'any' }]],
    ['.0', 'a map', segmentAllowed, [{ path: '/:camera/:camera', require: 'camera-in-path' }]],
    ['.0', 'a map', segmentAllowed, [{ path: '/:known', require: 'camera-of-event' }]],
    ['.0', 'a map', 'methods beside changes: true', [{ ...good, changes: true }]],
    ['.1.path', 'text', pathAllowed, [good, { path: 'a', require: 'any' }]],
  ])('%s, %s: %s (%j)', (path, found, allowed, rules) => {
    const problems = problemsOf(withRules(rules));
    expect(problems.map((problem) => [problem.path, problem.found])).toEqual([
      [`access.rules${path}`, found],
    ]);
    expect(problems[0]?.allowed).toContain(allowed);
  });

  test.each(['/:nobody', '/:camera*'])('a path that names a segment that there is not: %s', (path) => {
    expect(problemsOf(withRules([{ path, require: 'any' }]))[0]).toMatchObject({
      path: 'access.rules.0.path',
      found: 'text',
    });
  });

  test('unknown keys beside the rules', () => {
    expect(problemsOf({ access: { rule: [] } })).toMatchObject([
      { path: 'access.rule', found: 'an unknown key' },
    ]);
  });
});

describe('live streams', () => {
  test.each<[cameras: unknown, streams: ReadonlyArray<[string, readonly string[]]>]>([
    [undefined, []],
    [['front'], []],
    [{ front: null, garage: { live: null } }, []],
    [
      { front: { live: { streams: { Main: 'front', Sub: 'front_sub' } } } },
      [
        ['front', ['front']],
        ['front_sub', ['front']],
      ],
    ],
    [
      {
        front: { live: { streams: { A: 'both' } } },
        garage: { live: { streams: { A: 'both', B: 'both' } } },
      },
      [['both', ['front', 'garage']]],
    ],
    [{ front: { live: { streams: ['x'], height: 720 } } }, []],
    [{ front: { live: { streams: { A: 1, B: 'sub' } }, ffmpeg: {} } }, [['sub', ['front']]]],
  ])('%j: %j', (cameras, streams) => {
    expect(resolve({ cameras }).streams).toEqual(new Map(streams));
  });
});
