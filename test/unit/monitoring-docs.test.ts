import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { monitoringPaths } from '../../src/telemetry/monitoring-answers.ts';
import { projectRoot } from '../support/start-gateway.ts';
import { declaredIn, samplesOf, startMetrics } from './telemetry/start-metrics.ts';

const documentOf = (name: string) => readFileSync(join(projectRoot, 'docs', name), 'utf8');
const guide = documentOf('monitoring.md');

interface Panel {
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly targets: ReadonlyArray<{ readonly expr: string; readonly datasource: { readonly uid: string } }>;
}
const dashboard = JSON.parse(documentOf('monitoring/dashboard.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: ReadonlyArray<{ readonly name: string; readonly type: string }> };
};
const alerts = parse(documentOf('monitoring/alerts.yml')) as {
  readonly groups: ReadonlyArray<{
    readonly rules: ReadonlyArray<{ readonly alert: string; readonly expr: string }>;
  }>;
};

let declared: ReadonlyMap<string, string>;
/** Names that a query may use, with the labels of each. */
const labels = new Map<string, Set<string>>([['up', new Set()]]);
beforeAll(async () => {
  const { tallies, expose } = startMetrics();
  tallies.decisions.count('embedded', 'allow', 'allowed', performance.now());
  const text = await expose();
  declared = declaredIn(text);
  for (const sample of samplesOf(text).keys()) {
    const [, name = '', inside = ''] = /^([a-z_0-9]+)(?:\{(.*)\})?$/.exec(sample) ?? [];
    const known = labels.get(name) ?? new Set();
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) known.add(label);
    labels.set(name, known);
  }
});

test('the guide lists the existing metrics with their labels, and no others', () => {
  const listed = [...guide.matchAll(/^\| `(postern_\w+)`\s+\|([^|]*)\|/gm)].map(
    ([, name = '', cell = '']) => [
      name,
      [...cell.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).toSorted(),
    ],
  );
  const there = [...declared]
    .filter(([name]) => name.startsWith('postern_'))
    .map(([name, type]) => [
      name,
      [...(labels.get(type === 'histogram' ? `${name}_bucket` : name) ?? [])].toSorted(),
    ]);
  const byName = (one: unknown[], other: unknown[]) => String(one[0]).localeCompare(String(other[0]));
  expect(listed.toSorted(byName)).toEqual(there.toSorted(byName));
});

test('the guide lists the paths', () => {
  const listed = [...guide.matchAll(/^\| `(\/\w+)`/gm)].map(([, path]) => path);
  expect(listed).toEqual(monitoringPaths);
});

const examples = [...guide.matchAll(/^```yaml\n([^`]*)```$/gm)].map(([, block = '']) => block);

test('there are examples, panels and alerts to look at', () => {
  for (const found of [examples, dashboard.panels, alerts.groups]) expect(found.length).toBeGreaterThan(0);
});

test.each(examples)('an example is YAML: %s', (block) => {
  const document = parse(block) as Record<string, unknown>;
  expect(Object.keys(document).length).toBeGreaterThan(0);
});

/** Names in a query that are followed by a selector, and the labels that it uses of each. */
function usesOf(expr: string): ReadonlyArray<readonly [name: string, used: readonly string[]]> {
  return [...expr.matchAll(/\b([a-z][a-z_0-9]*)\{([^}]*)\}/g)].map(([, name = '', inside = '']) => [
    name,
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
  ]);
}

const ofScrape = new Set(['job', 'instance']);

function checkQuery(expr: string): void {
  const uses = usesOf(expr);
  expect(uses.length).toBeGreaterThan(0);
  for (const [name, used] of uses) {
    expect([name, labels.has(name)]).toEqual([name, true]);
    const unknown = used.filter((label) => !ofScrape.has(label) && !labels.get(name)?.has(label));
    expect([name, unknown]).toEqual([name, []]);
  }
  // Whatever looks like one of ours is asked for with a selector, and so was checked.
  const ours = [...expr.matchAll(/\b(?:postern|process|nodejs)_\w+/g)].map(([name]) => name);
  expect(ours.filter((name) => !uses.some(([used]) => used === name))).toEqual([]);
}

describe('each query uses metrics that exist', () => {
  test.each(dashboard.panels)('panel: $title', ({ targets }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) checkQuery(expr);
  });

  test.each(alerts.groups.flatMap(({ rules }) => rules))('alert: $alert', ({ expr }) => checkQuery(expr));
});

test('the dashboard takes whatever Prometheus is chosen', () => {
  const variable = dashboard.templating.list.find(({ name }) => name === 'datasource');
  expect(variable?.type).toBe('datasource');
  for (const { datasource, targets } of dashboard.panels)
    for (const { uid } of [datasource, ...targets.map((target) => target.datasource)])
      expect(uid).toBe(['$', '{datasource}'].join(''));
});
