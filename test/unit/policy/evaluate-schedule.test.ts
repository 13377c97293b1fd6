import { ownRules } from '../../support/every-endpoint.ts';
import { noSchedules, rolesOf } from '../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity } from '../../../src/policy/identity.ts';
import type { ScheduleState } from '../../../src/policy/schedule.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { filtered, known, nothingRecorded } from './known-cameras.ts';

const until = 1_800_000_000_000;
const decide = (
  state: ScheduleState | undefined,
  method: string,
  uri: string | undefined,
  role = 'neighbour',
) =>
  evaluate(
    { entryPoint: 'authenticated', method, uri, headers: [], host: 'gate.test', secure: true },
    { identity: plainIdentity('nora', role, 'session') },
    {
      roles: rolesOf([['neighbour', ['front']]], { neighbour: state && { hours: '07:00-19:00' } }),
      resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(
        known(['front', 'garage']),
      ),
      recorded: nothingRecorded,
      internalHosts: new Set(),
      listsAreFiltered: filtered.listsAreFiltered,
      stateOf: () => state ?? noSchedules(),
      basePath: '',
    },
  );

describe('a role outside its schedule', () => {
  const closed = { isOpen: false, until };

  test.each([
    ['GET', '/api/front/latest.jpg'],
    ['GET', '/live/jsmpeg/front'],
    ['GET', '/'],
    ['GET', '/api/events'],
    ['GET', '/api/version'],
    ['GET', '/ws'],
    ['GET', '/postern/'],
    ['GET', '/postern/api/cameras'],
    ['GET', '/postern/api/live'],
    ['GET', '/postern/api/roles'],
    ['GET', undefined],
  ])('%s %s is refused', (method, uri) => {
    expect(decide(closed, method, uri)).toMatchObject({
      outcome: 'forbidden',
      reason: 'role_outside_schedule',
    });
  });

  test.each([
    ['GET', '/postern/account', 'allowed'],
    ['PUT', '/api/users/nora/password', 'allowed'],
    ['GET', '/api/profile', 'allowed'],
    ['GET', '/logout', 'allowed'],
    ['GET', '/auth', 'allowed'],
    ['GET', '/login', 'public'],
    ['GET', '/postern/assets/app.js', 'public'],
  ])('%s %s of the own account stays open', (method, uri, reason) => {
    expect(decide(closed, method, uri).reason).toBe(reason);
  });

  test('is refused for another reason while the clock is behind', () => {
    const state = { ...closed, isClockBehind: true } as const;
    expect(decide(state, 'GET', '/api/front/latest.jpg')).toMatchObject({
      outcome: 'forbidden',
      reason: 'clock_behind',
    });
    expect(decide(state, 'GET', '/postern/account').reason).toBe('allowed');
    expect(decide(state, 'GET', '/api/front/latest.jpg', 'viewer').reason).toBe('allowed');
  });

  test('does not affect other roles', () => {
    expect(decide(closed, 'GET', '/api/front/latest.jpg', 'viewer').reason).toBe('allowed');
  });
});

describe('a role within its schedule', () => {
  test('gets a decision that expires', () => {
    expect(decide({ isOpen: true, until }, 'GET', '/api/front/latest.jpg')).toMatchObject({
      reason: 'allowed',
      until,
    });
  });

  test('sees only its own cameras', () => {
    expect(decide({ isOpen: true, until }, 'GET', '/api/garage/latest.jpg').reason).toBe(
      'camera_not_granted',
    );
  });

  test('a decision for a role without a schedule does not expire', () => {
    expect(decide(undefined, 'GET', '/api/front/latest.jpg')).not.toHaveProperty('until');
  });
});
