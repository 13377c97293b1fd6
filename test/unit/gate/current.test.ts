import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/config/configuration.ts';
import { createCurrent } from '../../../src/gate/current.ts';

const first = { publicUrl: 'https://first' } as Configuration;
const second = { publicUrl: 'https://second' } as Configuration;

test('a process has a configuration before anything decides by it', () => {
  const { configuration, deciding, runtime } = createCurrent(first);
  expect(configuration()).toBe(first);
  expect(deciding()).toBeUndefined();
  expect(runtime).toThrow('nothing decides yet');
});

test('a configuration and what decides by it change together', () => {
  const { become, configuration, deciding, runtime } = createCurrent(first);
  const decides = {};
  become(second, decides);
  expect(configuration()).toBe(second);
  expect(runtime()).toBe(decides);
  expect(deciding()).toBe(decides);
});
