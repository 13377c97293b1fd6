import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { watchPresence } from '../../../../src/http/reverse-proxy/client-end.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that is needed, or not, and answers pings, or not. */
function clientOf(state = { isNeeded: true, answers: true }) {
  const client = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    isPaused: false,
    pings: 0,
    ping: () => {
      client.pings += 1;
      if (state.answers) client.emit('pong');
    },
    terminate: () => {
      client.readyState = 3;
      client.emit('close');
    },
  });
  watchPresence(client as unknown as WebSocket, () => state.isNeeded);
  return { client, state };
}

test('a client that is not needed is not asked', () => {
  const { client } = clientOf({ isNeeded: false, answers: false });
  client.emit('message');
  vi.advanceTimersByTime(60_000);
  expect([client.pings, client.readyState, vi.getTimerCount()]).toEqual([0, 1, 0]);
});

test('a client that is needed is asked every two seconds until it is not', () => {
  const { client, state } = clientOf();
  client.emit('message');
  client.emit('message');
  vi.advanceTimersByTime(20_000);
  expect([client.pings, client.readyState]).toEqual([10, 1]);
  state.isNeeded = false;
  vi.advanceTimersByTime(20_000);
  expect([client.pings, vi.getTimerCount()]).toEqual([10, 0]);
  state.isNeeded = true;
  client.emit('message');
  vi.advanceTimersByTime(2_000);
  expect(client.pings).toBe(11);
});

test('one that does not answer is cut within six seconds', () => {
  const { client, state } = clientOf();
  client.emit('message');
  vi.advanceTimersByTime(10_000);
  state.answers = false;
  vi.advanceTimersByTime(5_999);
  expect(client.readyState).toBe(1);
  vi.advanceTimersByTime(1);
  expect([client.readyState, vi.getTimerCount()]).toEqual([3, 0]);
});

test('one that answers late stays', () => {
  const { client, state } = clientOf({ isNeeded: true, answers: false });
  client.emit('message');
  for (let i = 0; i < 5; i += 1) {
    vi.advanceTimersByTime(3_000);
    client.emit('pong');
  }
  expect(client.readyState).toBe(1);
  state.isNeeded = false;
});

test('one that does not finish closing is cut', () => {
  const { client } = clientOf();
  client.emit('message');
  client.readyState = 2;
  vi.advanceTimersByTime(2_000);
  expect(client.readyState).toBe(3);
});

test('one that the gate does not read cannot answer', () => {
  const { client } = clientOf({ isNeeded: true, answers: false });
  client.emit('message');
  client.isPaused = true;
  vi.advanceTimersByTime(60_000);
  expect([client.pings, client.readyState]).toEqual([0, 1]);
});
