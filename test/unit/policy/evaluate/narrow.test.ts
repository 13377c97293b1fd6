import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import type { RequestContext, Front } from '../../../../src/policy/request-context.ts';
import { isUnfilteredList, narrow, narrowQuery } from '../../../../src/policy/evaluate/narrow.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const grant = new Set(['front', 'back yard', 'küche']);
const queryOf = (query: string, filter: 'camera' | 'cameras' = 'cameras', of: ReadonlySet<string> = grant) =>
  narrowQuery(filter, query, of, 8_000);
const narrowedTo = (...asked: Parameters<typeof queryOf>) => {
  const narrowed = queryOf(...asked);
  return narrowed !== undefined && 'query' in narrowed ? narrowed.query : narrowed;
};
const everyName = 'cameras=front,back%20yard,k%C3%BCche';
const notGranted = { reason: 'camera_not_granted' };

describe('a list of many cameras', () => {
  test('gets all granted cameras at its end if it names none', () => {
    expect(narrowedTo('')).toBe(everyName);
    expect(narrowedTo('limit=3&label=dog%2Ccat&after=')).toBe(`limit=3&label=dog%2Ccat&after=&${everyName}`);
    expect(narrowedTo('camera_id=3&cams=x&has_camera=1')).toBe(
      `camera_id=3&cams=x&has_camera=1&${everyName}`,
    );
  });

  test.each(['cameras=all', 'cameras=', 'cameras', 'camera=all', 'cameras=ALL,,', 'cameras=&camera='])(
    'gets all granted cameras for %s, which names none',
    (query) => expect(narrowedTo(query)).toBe(everyName),
  );

  test('loses cameras that are not granted, in place', () => {
    expect(narrowedTo('limit=3&cameras=garage,front&x=1')).toBe('limit=3&cameras=front&x=1');
    expect(narrowedTo('cameras=front,front,garage,back+yard')).toBe('cameras=front,back%20yard');
  });

  test.each([
    'camera=front',
    'Cameras=front',
    'CAMERAS=front,garage',
    'cameras[]=front',
    'cameras%5B0%5D=front',
    'cameras[a][b]=front',
    '%63ameras=front',
    '%2563ameras=front',
    '+cameras=front',
    'cameras%20=front',
    'cameras%00=front',
    'cameras.=front',
    'camera%C5%BF=front',
    'cameras=front&cameras=garage',
    'cameras=garage&cameras=front',
    'cameras=front&camera=garage',
    'cameras=%66ront',
    'cameras=front&%2563ameras=all',
    'cameras=front%2Cgarage',
    'cameras=front,+garage+',
  ])('%s: its granted cameras in plain spelling', (query) => expect(narrowedTo(query)).toBe('cameras=front'));

  test.each(['cameras=garage', 'Camera=garage', 'cameras[]=garage,attic', 'cameras=front%252Cgarage'])(
    '%s: refused, since none is granted',
    (query) => expect(narrowedTo(query)).toEqual(notGranted),
  );

  test.each([
    'a;cameras=front',
    'cameras=front;garage',
    '?cameras=front',
    'label=x%26cameras%3Dgarage',
    'label=x%2526cameras%253Dgarage',
    'label=x%3Bcameras=garage',
    '%c1%a3ameras=front',
    'label=%',
    'label=%zz',
    'label=%25252525252525',
    'label={http.request.header.X}',
    'label=\u00e9',
    'label="x"',
  ])('%s: unchanged, since servers may read it differently', (query) =>
    expect(narrowedTo(query)).toBeUndefined(),
  );

  test('is refused if its filter would be too long for fronts and recorders', () => {
    const many = new Set(Array.from({ length: 5_000 }, (_, i) => `camera_${i}`));
    expect(queryOf('', 'cameras', many)).toEqual({ reason: 'cameras_too_many' });
    expect(narrowedTo('cameras=camera_3,garage', 'cameras', many)).toBe('cameras=camera_3');
  });

  test.each(['a,b', 'a%41', 'a+b', 'a&b', 'all', ' a', 'a;b', '\ud800'])(
    'is unchanged with a camera called %o, which some servers read as another name',
    (name) => {
      expect(queryOf('', 'cameras', new Set(['front', name]))).toBeUndefined();
      expect(queryOf('', 'cameras', new Set())).toBeUndefined();
    },
  );
});

describe('a list of one camera', () => {
  test('is narrowed if exactly one granted camera is left', () => {
    expect(narrowedTo('x=1', 'camera', new Set(['front']))).toBe('x=1&camera=front');
    expect(narrowedTo('camera=all', 'camera', new Set(['front']))).toBe('camera=front');
    expect(narrowedTo('cameras=garage,front', 'camera')).toBe('camera=front');
  });

  test('is unchanged if several are left, and refused if none is', () => {
    expect(narrowedTo('', 'camera')).toBeUndefined();
    expect(narrowedTo('camera=front,back+yard,garage', 'camera')).toBeUndefined();
    expect(narrowedTo('camera=garage', 'camera')).toEqual(notGranted);
  });
});

const pieces = [
  ['camera', 'cameras', 'Cameras', '%63ameras', '%2563ameras', 'cameras[]', 'cameras%5B%5D', 'label'],
  ['front', 'garage', 'all', 'ALL', 'Front', 'back+yard', 'back%20yard', 'k%C3%BCche', '', 'x', '1'],
  ['=', '=', '&', '&', ',', '%2C', '%252C', '%3D', '%26', '%2526', '+', '%20', '%00', ';', '%3B', '?', '%3F'],
  ['%', '%zz', '%25', '%ff', '%c1%a3', '{', '}', '[', ']', '.', '#', '\u00ff', '%EF%BD%83ameras', '%C5%BF'],
].flat();
const queries = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((pieces) => pieces.join(''));

const leniently = (text: string) =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
const inUtf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');
const pairsOf = (query: string, separator: RegExp): Array<readonly [string, string]> =>
  query.split(separator).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [inUtf8(leniently(name)), inUtf8(leniently(value.join('=')))];
  });
/** As PHP names them, in any case, cut and trimmed. */
const lax = (name: string) =>
  (
    name
      .normalize('NFKC')
      .toLowerCase()
      .split(/[[.\0]/)[0] ?? ''
  ).trim();

/** Ways of servers to read the cameras: each returns a list of pairs. */
const readings: Readonly<Record<string, (query: string) => ReadonlyArray<readonly [string, string]>>> = {
  URLSearchParams: (query) => [...new URLSearchParams(query)],
  'with semicolons': (query) => pairsOf(query, /[&;]/),
  'with any case, brackets and blanks': (query) =>
    pairsOf(query, /[&;?]/).map(([name, value]) => [lax(name), value]),
  'decoded before it is parted': (query) =>
    pairsOf(inUtf8(leniently(query)), /[&;?]/).map(([n, v]) => [lax(n), v]),
  'with values decoded once more': (query) =>
    pairsOf(query, /&/).map(([name, value]) => [lax(leniently(name)), leniently(value)]),
};

describe('any query', () => {
  for (const [reader, read] of Object.entries(readings)) {
    test(`a server that reads it ${reader} finds granted cameras alone, once`, () => {
      assertCases(
        fc.property(queries, fc.constantFrom('camera', 'cameras'), (query, filter) => {
          const narrowed = narrowQuery(filter, query, new Set(['front', 'back yard']), 8_000);
          if (narrowed === undefined || 'reason' in narrowed) return;
          const named = read(narrowed.query).filter(([name]) => name === 'camera' || name === 'cameras');
          expect(named.map(([name]) => name)).toEqual([filter]);
          for (const name of named.flatMap(([, value]) => value.split(',')))
            expect(['front', 'back yard']).toContain(name);
        }),
        { numRuns: 5_000, reaching: 0.1 },
      );
    });
  }

  test('becomes a filtered list, and stays the same when narrowed again', () => {
    assertCases(
      fc.property(queries, fc.constantFrom('camera', 'cameras'), (query, filter) => {
        const narrowed = narrowQuery(filter, query, new Set(['front']), 8_000);
        if (narrowed === undefined || 'reason' in narrowed) return;
        const rule: AccessRule = { path: '/api/events', level: 'list', may: 'shell', filter };
        expect(isUnfilteredList(rule, narrowed.query)).toBe(false);
        expect(narrowQuery(filter, narrowed.query, new Set(['front']), 8_000)).toEqual(narrowed);
      }),
      { numRuns: 5_000, reaching: 0.3 },
    );
  });

  test('keeps its other pairs byte for byte, in order', () => {
    const other = fc.constantFrom('limit=3', 'label=dog%2ccat', 'x', '', 'after=', 'zones=a,b', 'q=a+b%20c');
    const naming = fc.constantFrom('cameras=front,garage', 'Cameras=front', 'camera=all', 'cameras[]=front');
    assertCases(
      fc.property(fc.array(fc.oneof(other, naming)), (pairs) => {
        const narrowed = narrowedTo(pairs.join('&'));
        if (typeof narrowed !== 'string') throw new Error('not narrowed');
        const isOther = (pair: string) => !/^cameras?\b/i.test(pair);
        // An empty text is not a pair.
        const expected = pairs.length === 0 ? [] : pairs.filter(isOther);
        expect(narrowed.split('&').filter(isOther)).toEqual(pairs.join('&') === '' ? [] : expected);
      }),
    );
  });
});

describe('the request target', () => {
  const rule: AccessRule = { path: '/api/events', level: 'list', may: 'shell', filter: 'cameras' };
  const request = {
    entryPoint: 'authenticated',
    method: 'GET',
    headers: [],
    host: '',
    secure: true,
  } as const;
  const of = (uri: string, more: Partial<RequestContext> = { front: 'embedded' }, path = '/api/events') => {
    const query = uri.split('?').slice(1).join('?');
    const narrowed = narrow({ ...request, uri, ...more }, { path, query }, rule, {
      grant: new Set(['front']),
    });
    return narrowed !== undefined && 'uri' in narrowed ? narrowed.uri : narrowed;
  };

  test('keeps its path unchanged, without a host', () => {
    expect(of('/api/events')).toBe('/api/events?cameras=front');
    expect(of('/api/events?')).toBe('/api/events?cameras=front');
    expect(of('//api/%65vents?limit=1')).toBe('//api/%65vents?limit=1&cameras=front');
    expect(of('https://gate.test:8971/api/events?x')).toBe('/api/events?x&cameras=front');
  });

  test('is unchanged if it names granted cameras only', () =>
    expect(of('/api/events?cameras=front')).toBeUndefined());

  test('is unchanged if its path is in another letter case', () =>
    expect(of('/API/events', { front: 'embedded' }, '/API/events')).toBeUndefined());

  test.each<[Front | undefined, boolean | undefined, boolean]>([
    ['embedded', undefined, true],
    ['relay', undefined, true],
    ['auth-request', true, true],
    ['forward-auth', true, true],
    ['auth-request', false, false],
    ['auth-request', undefined, false],
    ['forward-auth', false, false],
    ['ext-authz', undefined, false],
    [undefined, undefined, false],
  ])('of %s (narrows: %s) is narrowed: %s', (front, narrows, expected) =>
    expect(of('/api/events', { front, narrows }) !== undefined).toBe(expected),
  );

  test('is unchanged without a filter, and for a role that sees all cameras', () => {
    const asked = { ...request, front: 'embedded', uri: '/api/exports' } as const;
    const list: AccessRule = { path: '/api/exports', level: 'list', may: 'shell' };
    expect(
      narrow(asked, { path: '/api/exports', query: '' }, list, { grant: new Set(['front']) }),
    ).toBeUndefined();
    expect(narrow(asked, { path: '/api/exports', query: '' }, rule, { grant: 'all' })).toBeUndefined();
  });
});
