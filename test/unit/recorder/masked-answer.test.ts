import { describe, expect, test } from 'vitest';
import type { Allowed } from '../../../src/policy/decision.ts';
import { configurationMask } from '../../../src/recorder/masked-answer.ts';
import { configurationWith } from '../../support/recorder-configuration.ts';

const permitted = (role: string, path = '/api/config', grant: Allowed['grant'] = 'all'): Allowed => ({
  outcome: 'allow',
  reason: 'allowed',
  path,
  grant,
  identity: { user: 'olaf', role, source: 'session', groups: '', email: '', name: '' },
});
const answer = (text: string, given = permitted('viewer')) =>
  configurationMask.transform(Buffer.from(text), given).toString();

describe('the mask', () => {
  test.each([
    ['viewer', '/api/config', true],
    ['guest', '/API/Config/', true],
    ['admin', '/api/config', false],
    ['viewer', '/api/version', false],
  ])('is for %s who asks for %s: %s', (role, path, expected) => {
    expect(configurationMask.isFor(permitted(role, path))).toBe(expected);
  });

  test('leaves JSON, without secrets, and without other cameras for a role that is limited to some', () => {
    const sent = JSON.stringify(configurationWith('hunter2'));
    expect(answer(sent)).not.toContain('hunter2');
    expect(Object.keys((JSON.parse(answer(sent)) as { cameras: object }).cameras)).toEqual([
      'front',
      'garage',
    ]);
    const cut = answer(sent, permitted('guest', '/api/config', new Set(['front'])));
    expect(cut).not.toMatch(/hunter2|garage/);
  });

  test.each(['', 'null', '[]', '"x"', '{"a":1', '<title>Recorder</title>', '{}{}'])(
    'lets nothing through that is no configuration: %s',
    (text) => {
      expect(() => answer(text)).toThrow();
    },
  );
});
