import { beforeEach, expect, test, vi } from 'vitest';
import type { Upstream } from '../../../src/http/reverse-proxy/upstream.ts';
import { keptUpstreams, type KeptUpstreams } from '../../../src/gate/kept-upstream.ts';

const here = { origin: 'http://127.0.0.1:1' };
const there = { origin: 'http://127.0.0.1:2' };

let upstreams: KeptUpstreams;
let closing: AsyncDisposableStack;

beforeEach(() => {
  vi.useFakeTimers();
  closing = new AsyncDisposableStack();
  upstreams = keptUpstreams(closing, { onBusy: () => undefined, onFailure: () => undefined });
  return () => void vi.useRealTimers();
});

const watched = (upstream: Upstream) => vi.spyOn(upstream, 'close').mockResolvedValue();

test('configurations with the same upstream settings share the upstream', () => {
  const first = upstreams.at(here, 8);
  expect(upstreams.at({ ...here }, 8)).toBe(first);
  expect(upstreams.at(here, 9)).not.toBe(first);
});

test('closes a former upstream once its requests are over, and leaves one alone that was only created', () => {
  const first = upstreams.at(here, 8);
  const closed = watched(first);
  upstreams.use(first);
  const second = upstreams.at(there, 8);
  vi.advanceTimersByTime(60_000);
  expect(closed).not.toHaveBeenCalled();
  upstreams.use(second);
  upstreams.use(second);
  vi.advanceTimersByTime(9_999);
  expect(closed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(closed).toHaveBeenCalledTimes(1);
});

test('cuts the one in use at the end', async () => {
  const used = upstreams.at(here, 8);
  const destroyed = vi.spyOn(used, 'destroy').mockResolvedValue();
  upstreams.use(used);
  await closing.disposeAsync();
  expect(destroyed).toHaveBeenCalledTimes(1);
});
