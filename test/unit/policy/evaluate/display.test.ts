import { expect, test } from 'vitest';
import { ownRules } from '../../../support/every-endpoint.ts';
import { evaluate } from '../../../../src/policy/evaluate/evaluate.ts';
import { plainIdentity, type Identity } from '../../../../src/policy/identity.ts';
import { lockedRules, recorderRules } from '../../../../src/policy/recorder/access-rules.ts';
import { prepareRules } from '../../../../src/policy/rule-tree.ts';
import { noSchedules, rolesOf } from '../../../support/roles.ts';
import { filtered, known, nothingRecorded } from '../known-cameras.ts';

const rules = {
  roles: rolesOf([]),
  resolveResource: prepareRules([...ownRules, ...lockedRules, ...recorderRules])(known(['front', 'garage'])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};

const reasonOf = (source: Identity['source'], request: string, headers: readonly string[] = []) => {
  const [method, uri] = request.split(' ');
  const identity = plainIdentity('display:hall', 'viewer', source);
  const context = {
    entryPoint: 'authenticated',
    front: 'embedded',
    method,
    uri,
    headers,
    host: 'gate.test',
    secure: true,
  } as const;
  return evaluate(context, { identity }, rules).reason;
};

test.each<[request: string, reason: string]>([
  ['GET /api/front/latest.jpg', 'allowed'],
  ['HEAD /api/front/latest.jpg', 'allowed'],
  ['GET /vod/front/start/1/end/2/index.m3u8', 'allowed'],
  ['GET /api/version', 'allowed'],
  ['POST /postern/api/wall', 'allowed'],
  ['POST /api/go2rtc/webrtc?src=front', 'display_only_shows'],
  ['PUT /api/front/search/motion', 'display_only_shows'],
  ['GET /', 'display_only_shows'],
  ['GET /index.html', 'display_only_shows'],
  ['GET /ws', 'display_only_shows'],
  ['GET /api/config', 'display_only_shows'],
  ['GET /api/profile', 'display_only_shows'],
  ['GET /api/logout', 'display_only_shows'],
  ['GET /api/users/nell/token', 'display_only_shows'],
  ['GET /postern/explore', 'display_only_shows'],
  ['GET /postern/cameras/front', 'display_only_shows'],
  ['GET /postern/live/front', 'display_only_shows'],
  ['GET /postern/api/live/front', 'display_only_shows'],
  ['GET /postern/api/displays', 'display_only_shows'],
])('a display asks %s: %s', (request, reason) => expect(reasonOf('display', request)).toBe(reason));

const picture = 'GET /api/front/latest.jpg';
const elsewhere = ['Origin', 'https://other.test'];

test.each<[source: Identity['source'], headers: readonly string[], reason: string]>([
  ['display', elsewhere, 'cross_site'],
  ['display', [...elsewhere, 'Sec-Fetch-Mode', 'no-cors'], 'cross_site'],
  ['display', [...elsewhere, 'Sec-Fetch-Mode', 'navigate'], 'allowed'],
  ['session', elsewhere, 'allowed'],
  ['session', [...elsewhere, 'Sec-Fetch-Mode', 'no-cors'], 'allowed'],
])('a page of another site shows a picture, by the cookie of a %s, with %j: %s', (source, headers, reason) =>
  expect(reasonOf(source, picture, headers)).toBe(reason),
);
