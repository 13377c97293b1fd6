import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertEvents } from '../../../src/config/notifications-section.ts';
import { projectRoot } from '../../support/start-gateway.ts';

test('docs/notifications.md lists every alert, and no other', () => {
  const page = readFileSync(join(projectRoot, 'docs/notifications.md'), 'utf8');
  const [, list = ''] = /^The events:\n\n((?:[- ].*\n)+)/m.exec(page) ?? [];
  const items = list.split(/^- /m).map((item) => item.split(': ')[0] ?? '');
  const listed = items.flatMap((item) => [...item.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.toSorted()).toEqual(Object.keys(alertEvents).toSorted());
});
