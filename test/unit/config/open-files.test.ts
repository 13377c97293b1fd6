import { expect, test } from 'vitest';
import { fitLimits, openFilesLimit, requireOpenFiles } from '../../../src/config/open-files.ts';
import { resolve } from './resolve-document.ts';

test('reads how many files the process may open', () => {
  expect(openFilesLimit()).toBeGreaterThan(16);
});

test('a start needs 64 of them', () => {
  for (const enough of [undefined, 64, 1_024]) expect(() => requireOpenFiles(enough)).not.toThrow();
  expect(() => requireOpenFiles(63)).toThrow('too few files may be open (ulimit -n is 63): raise it to 1024');
});

const { limits: wanted } = resolve({});

test.each<[openFiles: number | undefined, perClient: number, upstream: number, all: number]>([
  [undefined, 256, 256, Number.POSITIVE_INFINITY],
  [524_288, 256, 256, 262_096],
  [1_024, 232, 116, 464],
  [256, 40, 20, 80],
  [64, 4, 2, 8],
])(
  'with %s of them the limits fit',
  (openFiles, connectionsPerClient, upstreamConnections, clientConnections) => {
    expect(fitLimits(wanted, openFiles)).toEqual({
      limits: { ...wanted, connectionsPerClient, upstreamConnections },
      clientConnections,
    });
  },
);
