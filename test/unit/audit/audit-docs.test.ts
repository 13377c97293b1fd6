import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditEvents, eventRow, type AuditEvent } from '../../../src/audit/audit-events.ts';
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
  const results = (cross: string | undefined) => (cross === undefined ? 'success' : 'failure');
  const rows = tables.flatMap((table) => {
    const [heading = ''] = table.split('\n');
    return [...table.matchAll(/^\| `(\w+)`( ✗)? +\| (.*?) +\|$/gm)].map(([, event, cross, meaning]) => [
      heading,
      event,
      results(cross),
      meaning,
    ]);
  });
  const asNamed = tables.flatMap((table) => {
    const [heading = ''] = table.split('\n');
    const [, list = ''] = /^As named: ([^]*?)\.$/m.exec(table) ?? [];
    return [...list.matchAll(/`(\w+)`( ✗)?/g)].map(([, event, cross]) => [heading, event, results(cross)]);
  });
  const expected = Object.entries(kept).flatMap(([wanted, heading]) =>
    Object.keys(auditEvents).flatMap((event) => {
      const { kind, result, meaning } = eventRow(event as AuditEvent);
      return kind === wanted ? [[heading, event, result, meaning]] : [];
    }),
  );
  expect(rows).toEqual(expected.filter(([, , , meaning]) => meaning !== undefined));
  expect(asNamed).toEqual(
    expected.filter(([, , , meaning]) => meaning === undefined).map((row) => row.slice(0, 3)),
  );
});
