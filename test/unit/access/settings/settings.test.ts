import { ownRules } from '../../../support/every-endpoint.ts';
import { expect, test } from 'vitest';
import { settingsOf } from '../../../../src/access/settings/settings.ts';
import { resolve } from '../../config/resolve-document.ts';
import { filtered, nothingRecorded } from '../../policy/known-cameras.ts';

const recorder = {
  ...nothingRecorded,
  startsOfEvents: () => new Map(),
  startsOfExport: () => [],
  startsOfReview: () => [],
  cameras: () => [],
};

/** How the configuration reads a path, when it is asked. */
function readingOf(path: string, cameras: readonly string[], rule?: object) {
  const configuration = resolve({ cameras, access: { rules: rule === undefined ? [] : [rule] } });
  const { rules } = settingsOf(configuration, ownRules, recorder, filtered);
  return () => rules.resolveResource({ path, query: '' }, 'GET').resource;
}

test('each configuration has its own rules and cameras, also when others were prepared since', () => {
  const open = { path: '/api/restart', methods: ['GET'], require: 'any' };
  const cases = [
    [readingOf('/api/restart', ['front']), { kind: 'admin-only' }],
    [readingOf('/api/restart', ['front'], open), { kind: 'neutral' }],
    [readingOf('/api/restart', ['front'], { ...open, methods: ['POST'] }), { kind: 'admin-only' }],
    [readingOf('/api/restart', ['front'], { ...open, path: '/api/other' }), { kind: 'admin-only' }],
    [readingOf('/api/restart', ['front'], open), { kind: 'neutral' }],
    [readingOf('/api/front/latest.jpg', ['front']), { kind: 'cameras', cameras: ['front'] }],
    [readingOf('/api/front/latest.jpg', ['garage']), { kind: 'unresolved' }],
    [readingOf('/api/front/latest.jpg', ['front']), { kind: 'cameras', cameras: ['front'] }],
  ] as const;
  expect(cases.map(([reading]) => reading())).toEqual(cases.map(([, expected]) => expected));
});
