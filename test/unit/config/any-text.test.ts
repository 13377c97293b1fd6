import * as fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationReader } from '../../../src/config/load.ts';
import { ConfigurationError } from '../../../src/config/problem.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const read = configurationReader({}, projectRoot, 'config.yml');

/** Lines of the examples that the documents have: most of the keys, in their places. */
const lines = globSync('docs/**/config.yml', { cwd: projectRoot }).flatMap((file) =>
  readFileSync(join(projectRoot, file), 'utf8').split('\n'),
);
const scalar = fc.oneof(
  fc.constantFrom(
    '',
    '~',
    '1e400',
    '-0',
    '.nan',
    '0o17',
    '2026-13-45',
    "'",
    '"\\x',
    '{',
    '[',
    '&a',
    '*a',
    '!!int x',
  ),
  fc.constantFrom(
    '{SERVICE_X}',
    '<<: *a',
    '? ',
    '- - -',
    '%YAML 9.9',
    '---',
    '...',
    '| ',
    '>-',
    '\t',
    '__proto__: 1',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 12 }),
  fc.integer().map(String),
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...lines) },
  // A key of its own with another value, and a value at another depth.
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...lines), scalar)
      .map(([text, value]) => text.replace(/: .*|:$/, `: ${value}`)),
  },
  { weight: 1, arbitrary: fc.tuple(fc.nat(6), scalar).map(([depth, value]) => ' '.repeat(depth) + value) },
);

test('any text is a configuration, or is refused with its problems', () => {
  assertCases(
    fc.property(fc.array(line, { maxLength: 30 }), (texts) => {
      try {
        expect(read(texts.join('\n')).warnings).toBeInstanceOf(Array);
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError);
        expect((error as ConfigurationError).problems.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 300 },
  );
});
