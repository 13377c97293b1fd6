import { expect, test, vi } from 'vitest';
import { createMonitoring } from '../../../src/telemetry/monitoring-answers.ts';

test('metrics start when they are first read, and only once', async () => {
  const start = vi.fn(async () => ({ contentType: 'text/plain', expose: async () => 'postern_up 1\n' }));
  const answer = createMonitoring(async () => ({ status: 'ready', checks: {} }), start);
  await answer('/readyz');
  expect(start).not.toHaveBeenCalled();
  const both = await Promise.all([answer('/metrics'), answer('/metrics')]);
  expect(both.map((each) => each?.body)).toEqual(['postern_up 1\n', 'postern_up 1\n']);
  expect(start).toHaveBeenCalledOnce();
});

test('metrics that could not start are started at the next scrape', async () => {
  const start = vi.fn(async () => ({ contentType: 'text/plain', expose: async () => 'postern_up 1\n' }));
  start.mockRejectedValueOnce(new Error('EMFILE'));
  const answer = createMonitoring(async () => ({ status: 'ready', checks: {} }), start);
  await expect(answer('/metrics')).rejects.toThrow('EMFILE');
  expect(await answer('/metrics')).toMatchObject({ status: 200, body: 'postern_up 1\n' });
});
