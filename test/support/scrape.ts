import { expect } from 'vitest';
import { samplesOf } from '../unit/telemetry/start-metrics.ts';
import { sendRaw } from './raw-http.ts';

/** @returns the samples that an address serves at `/metrics`, by name and labels */
export async function scrape(address = ''): Promise<ReadonlyMap<string, number>> {
  const answer = await sendRaw(address, { uri: '/metrics' });
  expect(answer.status).toBe(200);
  return samplesOf(answer.body);
}
