import { expect, test } from 'vitest';
import type { Configuration } from '../../../src/config/configuration.ts';
import { createCurrent } from '../../../src/gate/current.ts';

const first = { publicUrl: 'https://first' } as Configuration;
const second = { publicUrl: 'https://second' } as Configuration;

test('has a configuration before there is a runtime', () => {
  const { configuration, deciding, runtime } = createCurrent(first);
  expect(configuration()).toBe(first);
  expect(deciding()).toBeUndefined();
  expect(runtime).toThrow('nothing decides yet');
});

test('changes the configuration and the runtime together', () => {
  const { become, configuration, deciding, runtime } = createCurrent(first);
  const decides = {};
  become(second, decides);
  expect(configuration()).toBe(second);
  expect(runtime()).toBe(decides);
  expect(deciding()).toBe(decides);
});
