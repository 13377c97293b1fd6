import { describe, expect, test } from 'vitest';
import { recorderSections } from '../../../src/config/recorder-keys.ts';
import { configurationSchema } from '../../../src/config/schema.ts';
import { misspeltSections, withoutRetiredSections } from '../../../src/config/sections.ts';
import { problemText } from './resolve-document.ts';

const ours = Object.keys(configurationSchema.entries);

describe('a misspelt top-level key', () => {
  test.each([
    ['acess', 'access'],
    ['proxi', 'proxy'],
    ['auht', 'auth'],
    ['upsteam', 'upstream'],
    ['Auth', 'auth'],
    ['netwokring', 'networking'],
    ['base-path', 'base_path'],
    ['logoutUrl', 'logout_url'],
    ['front', 'fronts'],
    ['tsl', 'tls'],
  ])('%s is reported with %s', (key, meant) => {
    expect(problemText({ [key]: {} })).toBe(
      `${key}: found an unknown key, allowed is ${meant} (did you mean that?)`,
    );
  });

  test('is found for any single typo in any of our names', () => {
    const slips = ours.flatMap((name) =>
      [...name].flatMap((letter, at) => [
        name.slice(0, at) + name.slice(at + 1),
        name.slice(0, at) + letter + name.slice(at),
        `${name.slice(0, at)}x${name.slice(at + 1)}`,
        name.slice(0, at) + (name[at + 1] ?? '') + letter + name.slice(at + 2),
      ]),
    );
    const known = new Set([...ours, ...recorderSections]);
    const missed = slips.filter((slip) => !known.has(slip) && misspeltSections({ [slip]: {} }).length === 0);
    expect(missed).toEqual([]);
  });
});

test.each([
  ['roles', 'auth.roles'],
  ['auth_secret', 'proxy.auth_secret'],
  ['rules', 'access.rules'],
  ['role_map', 'proxy.role_map'],
  ['forward_auth', 'networking.forward_auth'],
])('reports an unindented key such as %s with its place', (key, place) => {
  expect(problemText({ [key]: {} })).toContain(`${key}: found an unknown key, allowed is ${place}`);
});

test.each([
  ['auth.roles', 'auth: with roles: indented below it'],
  ['proxy.auth_secret', 'proxy: with auth_secret: indented below it'],
  ['acess.rules', 'access: with rules: indented below it'],
  ['auth.oidc.issuer', 'auth: with oidc: indented below it'],
  // Without it, the users of the role would count as viewers.
  ['roles.family', 'auth.roles: with family: indented below it'],
])('reports %s, which YAML reads as one name', (key, place) => {
  expect(problemText({ [key]: {} })).toBe(`${key}: found an unknown key, allowed is ${place}`);
});

describe('a recorder’s own keys are accepted', () => {
  // Every section of the releases 0.12 to 0.18, written out: the list in the source must not lose one.
  const theirs =
    `version safe_mode environment_vars logger auth database go2rtc mqtt notifications networking proxy telemetry tls ui
     detectors model genai cameras audio birdseye detect ffmpeg live motion objects record review snapshots rtmp
     timestamp_style audio_transcription classification semantic_search face_recognition lpr camera_groups profiles
     active_profile`.split(/\s+/);

  test.each(theirs)('%s', (key) => {
    expect(misspeltSections({ [key]: {} })).toEqual([]);
  });

  test.each(['x-templates', 'zones', 'home_assistant', 'notes', '.people', 'audio.enabled'])(
    'and so is what is near to nothing: %s',
    (key) => {
      expect(problemText({ [key]: {} })).toBe('');
    },
  );
});

test('our own names are accepted', () => {
  expect(misspeltSections(Object.fromEntries(ours.map((name) => [name, {}])))).toEqual([]);
});

describe('sections of version 1', () => {
  test.each<[what: string, document: Record<string, unknown>, warned: readonly string[], refused: boolean]>([
    ['none', { auth: {} }, [], false],
    ['workers', { server: { workers: 4 } }, ['server'], false],
    ['an empty section', { cache: null }, ['cache'], false],
    ['a section of another type', { cache: [1] }, ['cache'], false],
    ['all, with assertions off', { cache: {}, assertion: { enabled: false } }, ['cache', 'assertion'], false],
    ['assertions without a word', { assertion: { audience: 'recorder' } }, ['assertion'], false],
    ['assertions off by a word of YAML 1.1', { assertion: { enabled: 'no' } }, ['assertion'], false],
    ['assertions on', { assertion: { enabled: true, audience: 'recorder' } }, ['assertion'], true],
    ['assertions on by a word', { assertion: { enabled: 'yes' } }, ['assertion'], true],
  ])('%s', (_, document, warned, refused) => {
    const found = withoutRetiredSections({ auth: { enabled: true }, ...document });
    expect(Object.keys(found.document)).toEqual(['auth']);
    expect(found.warnings.map((warning) => /delete the line "(\w+):"/.exec(warning)?.[1])).toEqual(warned);
    expect(found.problems.map(({ path }) => path)).toEqual(refused ? ['assertion.enabled'] : []);
  });
});
