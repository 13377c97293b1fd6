import { describe, expect, test } from 'vitest';
import { withoutRetiredSections } from '../../../src/config/retired-sections.ts';

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
