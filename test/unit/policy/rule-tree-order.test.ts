import { ownRules } from '../../support/every-endpoint.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import type { AccessLevel, AccessRule, Need } from '../../../src/policy/access-rule.ts';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { known } from './known-cameras.ts';
import { assertCases } from '../../support/assert-cases.ts';

const names = ['front', 'garage'];

/** Scans the table: the first row that matches, from the top. */
function scanOf(table: readonly AccessRule[]): (path: string, method: string) => AccessRule | undefined {
  const rows = table.map((rule) => ({ rule, matches: pattern(rule.path) }));
  return (path, method) =>
    rows.find(
      ({ rule, matches }) =>
        matches.test(path) &&
        (rule.methods === undefined || rule.methods.includes(method)) &&
        (rule.having === undefined || path.includes(rule.having)),
    )?.rule;
}

function pattern(path: string): RegExp {
  const isOpen = path.endsWith('/**');
  const segments = (isOpen ? path.slice(0, -3) : path).split('/').slice(1);
  const source = segments.map((segment) => {
    if (segment === ':known') return `/(?:${names.join('|')})`;
    if (segment === '*' || segment.startsWith(':')) return '/[^/]*';
    return `/${segment.replaceAll('.', String.raw`\.`).replace('*', '[^/]*')}`;
  });
  return new RegExp(`^${source.join('')}${isOpen ? '(?:/.*)?' : ''}$`, 's');
}

// Lower case only: a path in other letters may be read a second time.
const word = fc.constantFrom('a', 'b', 'ab', 'abb', 'front', 'garage', 'x,y', '');
const segment = fc.oneof(word, fc.constantFrom('*', 'a*', '*b', 'a*b', ':camera', ':known', ':event'));
const pathOfRow = fc
  .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
  .map(([segments, isOpen]) => `/${[...segments, ...(isOpen ? ['**'] : [])].join('/')}`);
const rule: fc.Arbitrary<AccessRule> = fc.record(
  {
    path: pathOfRow,
    methods: fc.subarray(['GET', 'POST'], { minLength: 1 }),
    having: fc.constantFrom(',', 'a', 'front'),
    level: fc.constantFrom<AccessLevel>('admin-only', 'unresolved', 'any', 'own-account'),
    may: fc.constantFrom<Need>('live', 'history', 'export', 'shell', 'everything'),
  },
  { requiredKeys: ['path', 'level', 'may'] },
);
const asked = fc.tuple(
  fc.array(word, { minLength: 1, maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
  fc.constantFrom('GET', 'POST', 'PUT'),
);

test('the tree finds the row that a scan from the top finds, for any table', () => {
  assertCases(
    fc.property(
      fc.array(rule, { maxLength: 30 }),
      fc.array(asked, { minLength: 1, maxLength: 20 }),
      (table, requests) => {
        const resolve = prepareRules(table)(known(names));
        const scan = scanOf(table);
        for (const [path, method] of requests) {
          const found = resolve({ path, query: '' }, method);
          expect(found.rule, `${method} ${path}`).toEqual(
            scan(path, method) ?? { path: '/**', level: 'unresolved', may: 'everything' },
          );
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the same for the current rules', () => {
  const table = [...ownRules, ...lockedRules, ...recorderRules];
  const words = [...new Set(table.flatMap(({ path }) => path.split('/')))].map((text) =>
    text.replaceAll('**', 'rest').replace('*', 'mp4').replace(':', ''),
  );
  const path = fc
    .array(fc.constantFrom(...words, ...names), { minLength: 1, maxLength: 7 })
    .map((segments) => `/${segments.join('/')}`);
  const resolve = prepareRules(table)(known(names));
  const scan = scanOf(table);
  assertCases(
    fc.property(path, fc.constantFrom('GET', 'POST', 'DELETE'), (uri, method) => {
      expect(resolve({ path: uri, query: '' }, method).rule, uri).toBe(scan(uri, method));
    }),
    { numRuns: 5_000 },
  );
});

test('a locked row comes before every row of an operator', () => {
  const operator: readonly AccessRule[] = [
    { path: '/**', level: 'any', may: 'shell' },
    ...lockedRules.map(({ path }): AccessRule => ({ path, level: 'any', may: 'shell' })),
  ];
  const resolve = prepareRules([...ownRules, ...lockedRules, ...operator, ...recorderRules])(known(names));
  for (const locked of lockedRules) {
    const path = locked.path.replace('/**', '/rest').replaceAll('*', 'olaf');
    expect(lockedRules, path).toContain(resolve({ path, query: '' }, locked.methods?.[0] ?? 'GET').rule);
  }
});
