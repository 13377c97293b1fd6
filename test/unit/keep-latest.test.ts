import { expect, test } from 'vitest';
import { keepLatest } from '../../src/keep-latest.ts';

test('makes the same again only while the arguments are deeply equal to the former ones', () => {
  const made = keepLatest((names: readonly string[], options: { readonly most?: number }) => ({
    names,
    options,
  }));
  const first = made(['a'], { most: 1 });
  expect(made(['a'], { most: 1 })).toBe(first);
  for (const [names, options] of [
    [['b'], { most: 1 }],
    [['a'], { most: 2 }],
    [['a', 'b'], { most: 2 }],
    [['a'], {}],
    [['a'], { most: 1 }],
  ] as const) {
    const next = made(names, options);
    expect(next).not.toBe(first);
    expect(next).toEqual({ names, options });
    expect(made([...names], { ...options })).toBe(next);
  }
});
