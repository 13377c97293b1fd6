import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '../../../src/policy/evaluate/checks.ts';
import { reasons } from '../../../src/policy/reasons.ts';
import { projectRoot } from '../../support/start-gateway.ts';

const page = readFileSync(join(projectRoot, 'docs/how-it-decides.md'), 'utf8');
const table = /^## The checks$([^]*?)^## /m.exec(page)?.[1] ?? '';
const rows = [...table.matchAll(/^\| `(\w+)` +\|.*\|([^|]*)\|$/gm)];

test('docs/how-it-decides.md lists the checks in the order in which they decide', () => {
  const order = Object.values(checks)
    .flat()
    .map(({ name }) => name);
  expect(rows.map(([, name]) => name)).toEqual(order);
});

test('docs/how-it-decides.md names reasons that exist', () => {
  const named = rows.flatMap(([, , cell = '']) => [...cell.matchAll(/`(\w+)(…?)`/g)]);
  const all = reasons;
  const unknown = named.filter(
    ([, name = '', open]) =>
      !all.some((reason) => (open === '…' ? reason.startsWith(name) : reason === name)),
  );
  expect(named.length).toBeGreaterThan(25);
  expect(unknown.map(([code]) => code)).toEqual([]);
});
