import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, type Document } from 'yaml';
import { parseConfigurationDocument } from '../../../src/config/document.ts';
import { parseYaml } from '../../../src/config/yaml.ts';
import { assertCases } from '../../support/assert-cases.ts';

const errorsOf = ({ errors }: Pick<Document.Parsed, 'errors'>) =>
  errors.map(({ pos, code, message }) => `${pos.join('-')} ${code} ${message}`).sort();

/** The library's own check takes the square of the number of keys. */
const byLibrary = (text: string) => parseDocument(text, { prettyErrors: false, merge: true });

describe('keys that a map has twice', () => {
  it.each([
    ['a: 1\nb: 2\na: 3\n', [10]],
    ['a: 1\n"a": 2\n', [5]],
    ['1: a\n"1": b\n', []],
    ['1: a\n1.0: b\n', [5]],
    ['0: a\n-0: b\n', [5]],
    ['.nan: a\n.nan: b\n', []],
    ['a: 1\n&anchor a: 2\n', [13]],
    ['~: 1\nnull: 2\n', [5]],
    ['x: {a: 1, a: 2, a: 3}\n', [10, 16]],
    ['- a: 1\n  a: 2\n- a: 1\n', [9]],
    ['? {a: 1, a: 2}\n: 1\n', [9]],
    ['x: &x {a: 1}\ny: {<<: *x, <<: *x}\n', []],
    ['x: &x {"<<": 1, "<<": 2}\n', [16]],
    ['x: !!set {a, a}\n', [13]],
  ])('%j', (text, expected) => {
    const { errors } = parseYaml(text);
    expect(errors.map(({ code, pos }) => [code, pos[0]])).toEqual(
      expected.map((at) => ['DUPLICATE_KEY', at]),
    );
    expect(errorsOf(parseYaml(text))).toEqual(errorsOf(byLibrary(text)));
  });

  it('finds those that the library finds, in its words', () => {
    const plain =
      'a b "a" \'b\' 1 "1" 1.0 0x1 0 -0 .nan ~ null "null" true "true" << "<<" *x [a] 9007199254740993';
    const key = fc.constantFrom(...plain.split(' '), '&k a', '!!str 1', '{a: 1}', '{a: 1, a: 2}');
    const { node } = fc.letrec<{ node: string; map: string }>((tie) => ({
      node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constantFrom('1', '*x', 'text'), tie('map')),
      map: fc.oneof(
        fc
          .array(fc.tuple(key, tie('node')), { minLength: 1, maxLength: 6 })
          .map((pairs) => `{${pairs.map(([name, value]) => `${name} : ${value}`).join(', ')}}`),
        fc.array(tie('node'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      ),
    }));
    const line = fc.tuple(fc.constantFrom('', '? '), key, node);
    assertCases(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const written = lines.map(([mark, name, value]) =>
          mark === '' ? `${name} : ${value}` : `? ${name}\n: ${value}`,
        );
        const text = `base: &x {a: 1}\n${written.join('\n')}\n`;
        expect(errorsOf(parseYaml(text))).toEqual(errorsOf(byLibrary(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('does not compare each key with all before it', () => {
    expect(parseYaml('a: 1').options.uniqueKeys).toBe(false);
  });
});

describe('a configuration', () => {
  it('may have four megabytes, and no more', () => {
    const text = `timezone: UTC #${' '.repeat(4 * 2 ** 20)}`;
    expect(parseConfigurationDocument(text.slice(0, 4 * 2 ** 20), 'config.yml').document).toEqual({
      timezone: 'UTC',
    });
    expect(() => parseConfigurationDocument(text, 'config.yml')).toThrow(
      'config.yml: found more than 4 MB of text, allowed is a smaller file',
    );
  });

  it('names the line of each of many keys that it has twice', () => {
    const text = Array.from({ length: 3000 }, (_, index) => `a${index >> 1}: 1`).join('\n');
    expect(() => parseConfigurationDocument(text, 'config.yml')).toThrow(/line 2: .*line 3000: /s);
  });
});
