import { expect, test } from 'vitest';
import {
  queryOf,
  questionIn,
  valueOf,
  whoOf,
  type Question,
} from '../../../../../src/web/pages/why/question.ts';
import type { Who } from '../../../../../src/web/ui/roles/role-paths.ts';

test.each<[query: Record<string, string>, asked: Partial<Question>]>([
  [{}, {}],
  [
    { user: 'nell', camera: 'garage', to: 'live' },
    { who: { user: 'nell' }, camera: 'garage', to: 'live' },
  ],
  [{ role: 'guard', to: 'everything' }, { who: { role: 'guard' } }],
  [{ user: 'nell', role: 'guard' }, { who: { user: 'nell' } }],
  [
    { camera: 'garage', at: '1800000000' },
    { camera: 'garage', at: 1_800_000_000 },
  ],
  [{ at: 'soon' }, {}],
])('%j', (query, asked) => {
  expect(questionIn(query)).toEqual(asked);
});

test.each<[question: Question]>([
  [{ who: { user: 'nell & co' }, camera: 'front door', to: 'ptz' }],
  [{ who: { role: 'guard' }, camera: 'garage', to: 'export', at: 1_800_000_000 }],
])('%j can be read from its address', (question) => {
  expect(questionIn(Object.fromEntries(new URLSearchParams(queryOf(question))))).toEqual(question);
});

test.each<[who: Who]>([[{ user: 'nell' }], [{ role: 'guard' }], [{ user: 'role guard' }]])(
  '%j is a choice',
  (who) => {
    expect(whoOf(valueOf(who))).toEqual(who);
  },
);
