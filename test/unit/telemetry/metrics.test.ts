import { expect, test } from 'vitest';
import type { MetricsOptions } from '../../../src/telemetry/metrics.ts';
import { declaredIn, samplesOf, startMetrics } from './start-metrics.ts';

test('counters start at zero, so that the first event has a rate', async () => {
  const samples = samplesOf(await startMetrics().expose());
  expect(samples.get('postern_logins_total{result="failure"}')).toBe(0);
  expect(samples.get('postern_limited_total{limit="password_hashes"}')).toBe(0);
  expect(samples.get('postern_config_reloads_total{result="failure"}')).toBe(0);
  expect(samples.get('postern_config_last_reload_successful')).toBe(1);
  expect(samples.get('postern_config_last_reload_success_timestamp_seconds')).toBe(1_800_000_000);
  expect(samples.get('postern_config_info{hash="abc"}')).toBe(1);
  expect(samples.get('postern_build_info{version="1.2.3"}')).toBe(1);
  expect(samples.get('postern_sessions')).toBe(7);
  expect(samples.get('postern_log_lines_dropped_total')).toBe(3);
  expect(samples.get('postern_recorder_configuration_successful')).toBe(1);
  expect(samples.get('postern_recorder_configuration_timestamp_seconds')).toBe(1_800_000_000);
  expect(samples.get('postern_check_successful{check="accounts"}')).toBe(1);
  expect(samples.get('postern_check_successful{check="events"}')).toBe(0);
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});

test('exposes each count once, however often it is scraped', async () => {
  const { tallies, expose } = startMetrics();
  for (let i = 0; i < 3; i += 1) tallies.decisions.count('embedded', 'allow', 'allowed', performance.now());
  tallies.logins.failure += 2;
  tallies.limited.login_failures += 1;
  tallies.caches.sessions.hits += 5;
  tallies.caches.sessions.held.set('one', () => 2);
  tallies.caches.sessions.held.set('other', () => 3);
  await expose();
  const samples = samplesOf(await expose());
  const decided = 'verdict="allow",reason="allowed",front="embedded"';
  expect(samples.get(`postern_decisions_total{${decided}}`)).toBe(3);
  expect(samples.get('postern_decision_duration_seconds_count{front="embedded"}')).toBe(3);
  expect(samples.get('postern_decision_duration_seconds_bucket{front="embedded",le="+Inf"}')).toBe(3);
  expect(samples.get('postern_decision_duration_seconds_sum{front="embedded"}')).toBeGreaterThan(0);
  expect(samples.get('postern_logins_total{result="failure"}')).toBe(2);
  expect(samples.get('postern_limited_total{limit="login_failures"}')).toBe(1);
  expect(samples.get('postern_cache_hits_total{cache="sessions"}')).toBe(5);
  expect(samples.get('postern_cache_entries{cache="sessions"}')).toBe(5);
});

test('duration buckets are cumulative', async () => {
  const { tallies, expose } = startMetrics();
  for (const took of [0, 3, 700]) {
    tallies.decisions.count('auth-request', 'allow', 'allowed', performance.now() - took);
  }
  const samples = samplesOf(await expose());
  const buckets = [...samples].filter(([name]) =>
    name.startsWith('postern_decision_duration_seconds_bucket'),
  );
  const counts = buckets.map(([, count]) => count);
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(counts.at(-1)).toBe(3);
  expect(samples.get('postern_decision_duration_seconds_bucket{front="auth-request",le="0.005"}')).toBe(2);
  expect(samples.get('postern_decision_duration_seconds_bucket{front="auth-request",le="1"}')).toBe(3);
});

test('a new hash replaces the former one', async () => {
  let hash = 'one';
  const configuration = () => ({
    hash,
    successful: false,
    lastSuccess: 0,
    reloads: { success: 1, failure: 2 },
  });
  const { expose } = startMetrics({ configuration });
  await expose();
  hash = 'other';
  const samples = samplesOf(await expose());
  expect([...samples.keys()].filter((name) => name.startsWith('postern_config_info'))).toEqual([
    'postern_config_info{hash="other"}',
  ]);
  expect(samples.get('postern_config_last_reload_successful')).toBe(0);
  expect(samples.get('postern_config_reloads_total{result="failure"}')).toBe(2);
});

test('without the database, only the count of sessions is missing', async () => {
  const countSessions = () => Promise.reject(new Error('/var/lib/activity.db is gone'));
  const text = await startMetrics({ countSessions }).expose();
  expect(samplesOf(text).get('postern_sessions')).toBeNaN();
  expect(samplesOf(text).get('postern_config_last_reload_successful')).toBe(1);
  expect(text).not.toContain('activity.db');
});

test('two programs in one process share nothing', async () => {
  const [one, other] = [startMetrics(), startMetrics()];
  one.tallies.logins.success += 1;
  expect(samplesOf(await one.expose()).get('postern_logins_total{result="success"}')).toBe(1);
  expect(samplesOf(await other.expose()).get('postern_logins_total{result="success"}')).toBe(0);
});

test('only names of counters end in _total', async () => {
  for (const [name, type] of declaredIn(await startMetrics().expose())) {
    if (!name.startsWith('postern_')) continue;
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect(name).toMatch(/^[a-z_]+$/);
  }
});

test.each<
  [what: string, known: ReturnType<MetricsOptions['recorderKnowledge']>, successful: number, at: number]
>([
  ['there is no recorder to ask', undefined, 1, 0],
  ['it has not answered yet', { heardAt: undefined, fault: undefined }, 0, 0],
  ['its last answer told nothing', { heardAt: 5_000, fault: 'no_answer' }, 0, 5],
  ['its last answer was good', { heardAt: 5_000, fault: undefined }, 1, 5],
])('of the recorder’s configuration, when %s', async (_, known, successful, at) => {
  const samples = samplesOf(await startMetrics({ recorderKnowledge: () => known }).expose());
  expect(samples.get('postern_recorder_configuration_successful')).toBe(successful);
  expect(samples.get('postern_recorder_configuration_timestamp_seconds')).toBe(at);
});
