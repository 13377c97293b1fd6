import { expect, test } from 'vitest';
import { exposeTogether, withCounted } from '../../../src/telemetry/metrics-together.ts';
import { declaredIn, samplesOf, startMetrics } from './start-metrics.ts';

const process = (decisions: number, changes: Parameters<typeof startMetrics>[0] = {}) => {
  const { tallies, gather, expose } = startMetrics(changes);
  for (let i = 0; i < decisions; i += 1) tallies.decisions.count('embedded', 'allow', 'allowed', undefined);
  tallies.decisions.count('embedded', 'allow', 'allowed', performance.now());
  tallies.caches.sessions.held.set('one', () => 2);
  return { gather, expose };
};
const decided = 'postern_decisions_total{verdict="allow",reason="allowed",front="embedded"}';

test('sums counters, and neither shared values nor those that cannot be added', async () => {
  const ready = async () => ({ checks: { accounts: 'ok', events: 'ok' } }) as const;
  const one = await process(3, { recorderRoles: () => ({ verified: 2, unverified: 0 }) }).gather();
  const other = await process(4, { readiness: ready }).gather();
  const samples = samplesOf(await exposeTogether([one, other]));
  expect(samples.get(decided)).toBe(9);
  expect(samples.get('postern_decision_duration_seconds_count{front="embedded"}')).toBe(2);
  expect(samples.get('postern_decision_duration_seconds_bucket{front="embedded",le="+Inf"}')).toBe(2);
  expect(samples.get('postern_log_lines_dropped_total')).toBe(6);
  expect(samples.get('postern_cache_entries{cache="sessions"}')).toBe(4);
  expect(samples.get('postern_sessions')).toBe(7);
  expect(samples.get('postern_build_info{version="1.2.3"}')).toBe(1);
  expect(samples.get('postern_config_info{hash="abc"}')).toBe(1);
  expect(samples.get('postern_config_last_reload_success_timestamp_seconds')).toBe(1_800_000_000);
  expect(samples.get('postern_recorder_roles{state="verified"}')).toBe(2);
  // One of them cannot read the events.
  expect(samples.get('postern_check_successful{check="accounts"}')).toBe(1);
  expect(samples.get('postern_check_successful{check="events"}')).toBe(0);
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('several processes have the metrics of one', async () => {
  const { gather, expose } = process(1);
  const together = declaredIn(await exposeTogether([await gather(), await gather()]));
  expect(together).toEqual(declaredIn(await expose()));
});

test('keeps the counters of ended processes, but not their gauges', async () => {
  const first = await withCounted([], await process(3).gather());
  const ended = await withCounted(first, await process(0).gather());
  const samples = samplesOf(await exposeTogether([await process(4).gather(), ended]));
  expect(samples.get(decided)).toBe(10);
  expect(samples.get('postern_decision_duration_seconds_count{front="embedded"}')).toBe(3);
  expect(samples.get('postern_config_reloads_total{result="success"}')).toBe(0);
  expect(samples.get('postern_cache_entries{cache="sessions"}')).toBe(2);
});
