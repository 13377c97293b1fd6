import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditEvents } from '../../../src/audit/audit-events.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const kept = {
  account: 'by age',
  session: 'the newest million',
  refusal: 'the newest `audit.keep_refusals`',
} as const;

test('docs/audit.md lists exactly the events of the table', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'audit.md'), 'utf8');
  const section = page.slice(page.indexOf('## Events'), page.indexOf('## Fields'));
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(
    Object.entries(auditEvents).map(([event, { result, kind, meaning }]) => [
      `\`${event}\``,
      result,
      kept[kind],
      meaning,
    ]),
  );
});
