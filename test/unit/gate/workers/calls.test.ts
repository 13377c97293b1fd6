import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { connectPeer, type Channel, type Handlers } from '../../../../src/gate/workers/calls.ts';

/** Both ends of a channel. */
function channel(): readonly [Channel, Channel] {
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  const end = (from: EventEmitter, to: EventEmitter): Channel => ({
    send: (message, handle, _, onSent) => {
      setImmediate(() => to.emit('message', message, handle));
      onSent(null);
    },
    onMessage: (take) => from.on('message', take),
  });
  return [end(one, other), end(other, one)];
}

interface Sums extends Handlers {
  sum(numbers: readonly number[]): Promise<number>;
  refuse(why: 'store_unavailable'): never;
  wait(): Promise<never>;
}

const sums: Sums = {
  sum: async (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  refuse: (why) => {
    throw new AppError(why);
  },
  wait: () => new Promise(() => undefined),
};

function peer() {
  const [near, far] = channel();
  connectPeer<Handlers>(far, () => sums);
  return connectPeer<Sums>(near, () => ({}));
}

test('each call gets its own answer', async () => {
  const { call } = peer();
  expect(await Promise.all([call('sum', [1, 2]), call('sum', [3]), call('sum', [])])).toEqual([3, 3, 0]);
});

test('throws what the handler throws', async () => {
  await expect(peer().call('refuse', 'store_unavailable')).rejects.toMatchObject({
    code: 'store_unavailable',
  });
});

test('fails without an answer in time, or when the other process has ended', async () => {
  const { call, end } = peer();
  await expect(call('wait', undefined, { timeoutMs: 1 })).rejects.toThrow('wait: no answer in time');
  const waiting = call('wait', undefined);
  end();
  await expect(waiting).rejects.toThrow('the other process has ended');
});

test('fails when the message cannot be sent', async () => {
  const [near] = channel();
  const broken = {
    ...near,
    send: (...[, , , onSent]: Parameters<Channel['send']>) => onSent(new Error('closed')),
  };
  await expect(connectPeer<Sums>(broken, () => ({})).call('sum', [])).rejects.toThrow('sum: closed');
});
