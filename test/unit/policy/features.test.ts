import { guardedEndpoints, openEndpoints, ownRules } from '../../support/every-endpoint.ts';
import { expect, test } from 'vitest';
import { loadFeatures } from '../../../src/features/index.ts';
import { ownPathsOf } from '../../../src/api/own-paths.ts';
import { pages } from '../../../src/api/ui/pages.ts';
import {
  everyFeature,
  featureAt,
  featureNames,
  isSwitchedOff,
  type FeatureName,
} from '../../../src/policy/features.ts';

/** What each feature is made of. */
const parts: Readonly<Record<(typeof featureNames)[number], readonly string[]>> = {
  api_tokens: [
    'get /postern/api/tokens',
    'post /postern/api/tokens',
    'delete /postern/api/tokens/:id',
    'page /postern/settings/tokens',
  ],
  shares: [
    'post /postern/api/shares/:id/open',
    'get /postern/share/:id',
    'get /postern/api/shares',
    'post /postern/api/shares',
    'delete /postern/api/shares/:id',
    'page /postern/account/shares',
    'page /postern/settings/shares',
  ],
  displays: [
    'post /postern/api/displays/code',
    'post /postern/api/displays/token',
    'get /postern/wall',
    'get /postern/pair',
    'post /postern/api/wall',
    'get /postern/api/displays',
    'post /postern/api/displays',
    'get /postern/api/displays/code/:code',
    'delete /postern/api/displays/code/:code',
    'get /postern/api/displays/:id',
    'put /postern/api/displays/:id',
    'delete /postern/api/displays/:id',
    'page /postern/settings/displays',
  ],
  invitations: [
    'post /postern/api/invitations/:id/open',
    'post /postern/api/invitations/:id/passkey',
    'post /postern/api/invitations/:id/accept',
    'get /postern/invite/:id',
    'get /postern/api/invitations',
    'post /postern/api/invitations',
    'get /postern/api/invitations/:id',
    'delete /postern/api/invitations/:id',
  ],
  push: [
    'get /postern/push.js',
    'get /postern/api/push',
    'post /postern/api/push',
    'delete /postern/api/push/:id',
  ],
  access_requests: [
    'post /postern/api/access-requests',
    'get /postern/api/access-requests',
    'get /postern/api/access-requests/own',
    'delete /postern/api/access-requests/:user/:camera',
    'page /postern/ask',
  ],
};

const everything = [
  ...[...openEndpoints, ...guardedEndpoints].map(({ method, path }) => ({ name: `${method} ${path}`, path })),
  ...pages.map((page) => ({ name: `page /postern/${page}`, path: `/postern/${page}` })),
];

test.each(featureNames)('%s has its endpoints and pages, and no others', (feature) => {
  const found = everything.filter(({ path }) => featureAt(path) === feature).map(({ name }) => name);
  expect(found.toSorted()).toEqual(parts[feature].toSorted());
});

test.each([
  '/postern/api/tokensx',
  '/postern/api/sharesx/y',
  '/postern/sharex',
  '/postern/push.jsx',
  '/postern/api/account/email',
  '/postern/api/people/nell/role',
  '/postern/api/people',
  '/api/shares',
  '/postern/',
])('%s belongs to none', (path) => {
  expect([featureAt(path), isSwitchedOff(path, new Set())]).toEqual([undefined, false]);
});

test('a path below an own one is off with it', () => {
  for (const path of ['/postern/share/x/media/api/front/latest.jpg', '/postern/wall/x', '/postern/pair/'])
    expect([isSwitchedOff(path, new Set()), isSwitchedOff(path, everyFeature)]).toEqual([true, false]);
});

test.each(featureNames)('without %s its rules go, and all others stay in their order', async (feature) => {
  const on = new Set(featureNames.filter((name) => name !== feature));
  const { rules, isOpen } = ownPathsOf(await loadFeatures(on));
  expect(rules).toEqual(ownRules.filter(({ path }) => isLeft(path, feature)));
  expect(rules.length).toBeLessThan(ownRules.length);
  const open = openEndpoints.filter(({ path }) => featureAt(path) === feature);
  expect(open.filter(({ path }) => isOpen(path, 'GET'))).toEqual([]);
});

/** Displays are made of API tokens, and are not there without them. */
function isLeft(path: string, without: FeatureName): boolean {
  const feature = featureAt(path);
  return feature !== without && !(feature === 'displays' && without === 'api_tokens');
}
