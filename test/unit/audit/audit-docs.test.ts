import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditEvents } from '../../../src/audit/audit-events.ts';
import { projectRoot } from '../../support/start-gateway.ts';

/** Headings of the tables, by how long their events are kept. */
const kept = {
  account: 'Kept for `audit.keep_days`',
  session: 'Kept likewise, the newest million at most',
  refusal: 'Kept likewise, the newest `audit.keep_refusals` at most',
} as const;

test('docs/audit.md lists exactly the events, with result, meaning and how long they are kept', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'audit.md'), 'utf8');
  const [, ...tables] = page.slice(page.indexOf('## Events'), page.indexOf('## Fields')).split('\n### ');
  const rows = tables.flatMap((table) => {
    const [heading = ''] = table.split('\n');
    return [...table.matchAll(/^\| `(\w+)`( ✗)? +\| (.*?) +\|$/gm)].map(([, event, cross, meaning]) => [
      heading,
      event,
      cross === undefined ? 'success' : 'failure',
      meaning,
    ]);
  });
  const expected = Object.entries(kept).flatMap(([wanted, heading]) =>
    Object.entries(auditEvents)
      .filter(([, { kind }]) => kind === wanted)
      .map(([event, { result, meaning }]) => [heading, event, result, meaning]),
  );
  expect(rows).toEqual(expected);
});
