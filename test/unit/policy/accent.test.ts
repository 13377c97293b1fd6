import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentShades, accentStyle } from '../../../src/policy/accent.ts';
import { assertCases } from '../../support/assert-cases.ts';

const grounds = {
  light: ['#f6f3ec', '#fffdf9', '#ece8de', '#efebe1'],
  dark: ['#111514', '#191e1d', '#212726', '#0c100f', '#242b29'],
} as const;

/** WCAG 2.2, written again for the test. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, place) => sum + value * ([0.2126, 0.7152, 0.0722][place] ?? 0), 0);
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('text and buttons of any accent keep a contrast of 4.5 in both themes', () => {
  const edges = ['#000000', '#ffffff', '#ffd400', '#0000ff', '#00ff00', '#ff0000', '#808080', '#1f6f5e'];
  assertCases(
    fc.property(anyColour, (accent) => {
      const shades = accentShades(accent);
      for (const theme of ['light', 'dark'] as const) {
        const { fill, hover, text, soft, on } = shades[theme];
        for (const ground of [...grounds[theme], soft])
          expect(contrast(text, ground), `${theme} text of ${accent} on ${ground}`).toBeGreaterThanOrEqual(
            4.5,
          );
        for (const ground of grounds[theme])
          expect(contrast(fill, ground), `${theme} fill of ${accent} on ${ground}`).toBeGreaterThanOrEqual(3);
        for (const below of [fill, hover])
          expect(contrast(on, below), `${theme} button of ${accent}`).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 1_000, examples: edges.map((edge): [string] => [edge]) },
  );
});

test('an accent that is readable already fills buttons as it is', () => {
  expect(accentShades('#1F6F5E').light).toMatchObject({ fill: '#1f6f5e', on: '#ffffff' });
});

test('two accents of different hue stay different', () => {
  expect(accentShades('#0044cc').light.fill).not.toBe(accentShades('#cc4400').light.fill);
});

test('the style sheet holds nothing that could end its element or load anything', () => {
  assertCases(
    fc.property(anyColour, (accent) => {
      expect(accentStyle(accent)).toMatch(/^[-:a-z0-9#;{}().@[\]=,\s]+$/i);
      expect(accentStyle(accent)).not.toMatch(/url|import|</i);
    }),
    { numRuns: 50 },
  );
});
