import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servesSample } from '../../../src/events/sample.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { resolve } from '../config/resolve-document.ts';

const sample = { events: { database: join(projectRoot, 'data', 'sample.db') } };
const asksAlone = { listen: { authenticated: 'off', internal: 'off' } };

test.each<[what: string, document: object, expected: boolean]>([
  ['the bundled file', sample, true],
  [
    'the bundled file, to fronts that reach the events app',
    {
      ...sample,
      upstream: 'http://127.0.0.1:5002',
      events: { ...sample.events, listen: '127.0.0.1:5002' },
      networking: asksAlone,
    },
    true,
  ],
  ['a recorder answers for its own events', { ...sample, upstream: 'http://127.0.0.1:5001' }, false],
  [
    'only other fronts ask, and they know their recorder',
    { ...sample, networking: { ...asksAlone, forward_auth: { authenticated: '127.0.0.1:5010' } } },
    false,
  ],
  ["the recorder's own file", { events: { database: '/var/lib/recorder.db' } }, false],
])('%s: %#', (_, document, expected) => {
  expect(servesSample(resolve(document))).toBe(expected);
});
